// What a task carries (BROKER-3).
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

// Made anew for every task, byte by byte.
void make_payload(unsigned char *bytes, uint32_t salt, uint32_t number, uint32_t size);
// What is found by who reads it.
uint32_t result_of(uint32_t number, const unsigned char *bytes, size_t size);
// Of so many tasks, each payload made and read (`Probe.payloads`).
uint32_t sum_of_results(uint32_t salt, uint32_t tasks, uint32_t size);

#endif
