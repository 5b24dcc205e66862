/** Work for the test of the step counter: `rounds` rounds of the body of the inner loop for each of the outer one. */
export function nestedLoops(outer: number, rounds: number): number {
  let sum = 0;
  for (let i = 0; i < outer; i++) {
    for (let k = 0; k < rounds; k++) sum += i ^ k;
  }
  return sum;
}
