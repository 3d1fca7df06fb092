# The program for the console (samples/console) on an emulated console.
get_property(PICAVK_CONSOLE_FILE GLOBAL PROPERTY PICAVK_CONSOLE_FILE)
find_path(UNICORN_HEADERS unicorn/unicorn.h)
find_library(UNICORN_LIBRARY unicorn)
if(PICAVK_CONSOLE_FILE AND UNICORN_HEADERS AND UNICORN_LIBRARY)
  picavk_test_folder(console "" 900 60 picavk_test_base)
  target_link_libraries(picavk_console_tests PRIVATE picavk_probe picavk::picavk ${UNICORN_LIBRARY})
  target_include_directories(picavk_console_tests SYSTEM PRIVATE ${UNICORN_HEADERS})
  target_compile_definitions(picavk_console_tests PRIVATE PICAVK_CONSOLE_FILE="${PICAVK_CONSOLE_FILE}")
  add_dependencies(picavk_console_tests picavk_console)
else()
  # Says what is missing, and counts as skipped.
  add_test(NAME console.console_test
           COMMAND ${CMAKE_COMMAND} -E echo "skipped: gcc-arm-none-eabi or libunicorn-dev is missing (samples/setup.sh installs them)")
  set_tests_properties(console.console_test PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped")
endif()
