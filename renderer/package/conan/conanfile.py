# SPDX-License-Identifier: MIT
# A recipe of the checkout that it lies in: conan create renderer/package/conan
# Nobody has run it, because Conan is not in Debian: Python compiles it, and that is all that is known of it.
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps


class Picavk(ConanFile):
    name = "picavk"
    version = "0.2.0"
    license = "MIT"
    description = "PICA200 (Nintendo 3DS GPU) renderer for Vulkan, with an exact software core"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "vulkan": [True, False]}
    default_options = {"shared": False, "vulkan": True}

    def export_sources(self):
        root = os.path.abspath(os.path.join(self.recipe_folder, "..", "..", ".."))
        for pattern in ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "README.md", "cmake/*", "pica/*", "shaders/*",
                        "shadergen/*", "renderer/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("zstd/[>=1.5]")
        if self.options.vulkan:
            for package in ("glslang", "spirv-tools", "spirv-cross", "vulkan-headers", "volk"):
                self.requires(f"{package}/[*]")

    def build_requirements(self):
        self.tool_requires("pkgconf/[*]")

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()  # zstd and SPIRV-Cross are looked for by pkg-config
        toolchain = CMakeToolchain(self)
        toolchain.variables["PICAVK_VULKAN"] = bool(self.options.vulkan)
        toolchain.variables["PICAVK_BUILD_TESTS"] = False
        toolchain.variables["PICAVK_BUILD_SAMPLES"] = False
        toolchain.variables["PICAVK_INSTALL"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install(component="picavk")

    def package_info(self):
        self.cpp_info.libs = ["picavk"]
        if self.options.shared:
            self.cpp_info.defines = ["PICAVK_SHARED"]
