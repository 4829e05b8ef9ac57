# The target `protocol`: what protoc makes of the proto files, at each build, so that
# kinds, classes and labels have no second table here. It is not ours to keep free of
# warnings.
set(proto_root "$ENV{DRAMATURG_PROTO}")
if(proto_root STREQUAL "")
  message(FATAL_ERROR "DRAMATURG_PROTO is not set: `dramaturg proto` prints where the protocol is")
endif()
set(PROTOCOL_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
file(MAKE_DIRECTORY "${PROTOCOL_DIR}")
foreach(name options trace benchmarks control)
  set(base "${PROTOCOL_DIR}/dramaturg/v2/${name}")
  add_custom_command(
    OUTPUT "${base}.pb.cc" "${base}.pb.h" "${base}.grpc.pb.cc" "${base}.grpc.pb.h"
    COMMAND
      protobuf::protoc "--proto_path=${proto_root}" "--cpp_out=${PROTOCOL_DIR}"
      "--grpc_out=${PROTOCOL_DIR}" "--plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN}"
      "dramaturg/v2/${name}.proto"
    DEPENDS "${proto_root}/dramaturg/v2/${name}.proto"
    COMMENT "Generating dramaturg/v2/${name}"
    VERBATIM)
  list(APPEND protocol_sources "${base}.pb.cc")
  list(APPEND protocol_headers "${base}.pb.h")
endforeach()
list(APPEND protocol_sources "${PROTOCOL_DIR}/dramaturg/v2/control.grpc.pb.cc")
add_custom_target(protocol-headers DEPENDS ${protocol_headers})
add_library(protocol STATIC ${protocol_sources})
# Files that protoc makes define the same names, each in a namespace without one.
set_target_properties(protocol PROPERTIES UNITY_BUILD OFF)
target_include_directories(protocol SYSTEM PUBLIC "${PROTOCOL_DIR}")
target_link_libraries(protocol PUBLIC gRPC::grpc++ protobuf::libprotobuf)
