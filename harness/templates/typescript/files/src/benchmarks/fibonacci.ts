/** The work that actors do: by doubly recursive descent, every time (IMPL-6). */
export function fibonacci(n: number): number {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
