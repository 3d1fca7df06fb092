# SPDX-License-Identifier: MIT
# What the tests of `picavk compare`, `report`, `bisect` and of the install rules need besides the program.

# The program with a change that `picavk bisect` has to find: its software core adds where a combiner says ADD_SIGNED. The
# altered file stands before the library, which then does not give its own.
set(ALTERED_FILE ${PROJECT_SOURCE_DIR}/pica/soft/texenv_program.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ALTERED_FILE})
file(READ ${ALTERED_FILE} unaltered)
string(REPLACE "in.op = op;" "in.op = op == CombinerOp::AddSigned ? CombinerOp::Add : op;" altered "${unaltered}")
if(altered STREQUAL unaltered)
  message(FATAL_ERROR "${ALTERED_FILE} has no place for the change that tests/cli/bisect_test.cpp plants")
endif()
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/planted/texenv_program.cpp CONTENT "${altered}")
# What the sanitizer builds add to every program comes with the libraries a second time.
add_executable(picavk_planted $<FILTER:$<TARGET_OBJECTS:picavk>,EXCLUDE,/sanitizers/>
                              ${CMAKE_CURRENT_BINARY_DIR}/planted/texenv_program.cpp)
find_package(CLI11 CONFIG REQUIRED)
find_package(glfw3 CONFIG REQUIRED)
find_package(PNG REQUIRED)
picavk_find_pkg_config(PICAVK_XXHASH libxxhash)
get_target_property(PICAVK_LIBRARIES picavk LINK_LIBRARIES)
target_link_libraries(picavk_planted PRIVATE ${PICAVK_LIBRARIES})
add_dependencies(picavk_cli_tests picavk_planted)
set_property(SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/cli/bisect_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/cli/bisect_scaled_test.cpp
             APPEND PROPERTY COMPILE_DEFINITIONS
                            PICAVK_PLANTED="$<TARGET_FILE:picavk_planted>")

# The example of GOLDEN_TESTS.md, as it stands there.
add_test(NAME cli.golden_tests COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/golden_tests.sh $<TARGET_FILE:picavk> ${PROJECT_SOURCE_DIR})
set_tests_properties(cli.golden_tests PROPERTIES TIMEOUT 600)

# The sanitizers see nothing new in these two.
if(NOT PICAVK_SANITIZE)
  # A browser opens a report; what it saw is in the build folder.
  add_test(NAME cli.report_browser COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/report_browser.py $<TARGET_FILE:picavk>
                                           ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/report_browser)
  set_tests_properties(cli.report_browser PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  if(PICAVK_INSTALL)
    add_test(NAME cli.install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/install.sh ${PROJECT_BINARY_DIR})
  endif()
endif()

# What a digest hashes is tested by itself, too.
target_sources(picavk_cli_tests PRIVATE ${PROJECT_SOURCE_DIR}/samples/cli/golden/block_probes.cpp
                                        ${PROJECT_SOURCE_DIR}/samples/cli/golden/content_hash.cpp
                                        ${PROJECT_SOURCE_DIR}/samples/cli/golden/digest_backend.cpp)
target_link_libraries(picavk_cli_tests PRIVATE PkgConfig::PICAVK_XXHASH)
