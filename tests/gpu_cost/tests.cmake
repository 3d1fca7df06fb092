# Included by tests/CMakeLists.txt.
set(GPU_COST ${CMAKE_CURRENT_SOURCE_DIR}/gpu_cost)
find_package(CLI11 CONFIG REQUIRED)

# The second driver is asked by the layer, and tried by the program.
add_library(picavk_cost_driver STATIC gpu_cost/layer/second_driver.cpp gpu_cost/layer/reference.cpp)
set_target_properties(picavk_cost_driver PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(picavk_cost_driver PUBLIC picavk_flags picavk_checks ${PICAVK_VULKAN_HEADERS} ${CMAKE_DL_LIBS})

add_library(picavk_cost_layer MODULE gpu_cost/layer/layer.cpp gpu_cost/layer/mirror.cpp gpu_cost/layer/command_counts.cpp
                                     gpu_cost/layer/device_memory.cpp gpu_cost/layer/log.cpp)
target_link_libraries(picavk_cost_layer PRIVATE picavk_cost_driver nlohmann_json::nlohmann_json)
set(PICAVK_COST_LAYER $<TARGET_FILE:picavk_cost_layer>)
configure_file(gpu_cost/layer/layer.json.in ${CMAKE_CURRENT_BINARY_DIR}/cost_layer.json @ONLY)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cost_layers/cost_layer.json
     INPUT ${CMAKE_CURRENT_BINARY_DIR}/cost_layer.json)

add_library(picavk_cost_budgets STATIC gpu_cost/program/budgets.cpp gpu_cost/program/cost.cpp)
target_link_libraries(picavk_cost_budgets PUBLIC picavk_flags picavk_checks nlohmann_json::nlohmann_json
                      PRIVATE picavk_quick_build)

picavk_test_program(gpu_cost gpu_cost/program/gpu_cost.cpp gpu_cost/program/drivers.cpp gpu_cost/program/log_reader.cpp
                    gpu_cost/program/measurement.cpp gpu_cost/program/table.cpp cli/program.cpp
                    ${PROJECT_SOURCE_DIR}/samples/cli/measurement_process.cpp)
target_link_libraries(picavk_gpu_cost PRIVATE picavk_cost_budgets picavk_cost_driver picavk_shadergen picavk_pica
                      CLI11::CLI11 picavk_quick_build)
target_compile_definitions(picavk_gpu_cost PRIVATE PICAVK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                           PICAVK_PROGRAM="$<TARGET_FILE:picavk>"
                           PICAVK_COST_LAYERS="${CMAKE_CURRENT_BINARY_DIR}/cost_layers")
add_dependencies(picavk_gpu_cost picavk picavk_cost_layer)
add_test(NAME gpu_cost COMMAND picavk_gpu_cost)
set_tests_properties(gpu_cost PROPERTIES LABELS "gpu" SKIP_RETURN_CODE 77 TIMEOUT 1800 COST 60)

picavk_test_folder(gpu_cost "" 60 1 picavk_test_base)
target_link_libraries(picavk_gpu_cost_tests PRIVATE picavk_cost_budgets)
