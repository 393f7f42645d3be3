# Sources are compiled in batches, as HiGHS does itself on Windows ("unity build"): headers are read once a batch.
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
# The compilers that are used without this file.
if(NOT DEFINED ENV{CC})
  set(CMAKE_C_COMPILER cc)
endif()
if(NOT DEFINED ENV{CXX})
  set(CMAKE_CXX_COMPILER c++)
endif()
