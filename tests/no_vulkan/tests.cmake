# The tests of a build without the Vulkan backend, beside those of pica/. The files of api/ are shared with the whole
# suite; of the C interface those cases run that need no device.
picavk_test_program(no_vulkan_tests no_vulkan/no_vulkan_test.cpp api/c_api_test.cpp api/cpp_header_test.cpp
                    api/c89_header.c)
target_link_libraries(picavk_no_vulkan_tests PRIVATE picavk_test_base)
add_test(NAME no_vulkan.no_vulkan_test COMMAND picavk_no_vulkan_tests --source-file=*/no_vulkan_test.cpp)
add_test(NAME no_vulkan.cpp_header_test COMMAND picavk_no_vulkan_tests --source-file=*/cpp_header_test.cpp)
foreach(case "the null backend" "what goes in is recorded" "registers are" "creation refuses" "null and wrong arguments")
  string(REPLACE " " "_" name ${case})
  add_test(NAME no_vulkan.c_api_test.${name} COMMAND picavk_no_vulkan_tests "--test-case=c api: ${case}*")
endforeach()
