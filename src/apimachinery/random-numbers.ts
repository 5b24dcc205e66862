/** Reproducible 32-bit numbers from a seed: the generator mulberry32. */
export class RandomNumbers {
  /** The state of the generator. Setting it resumes the sequence from there. */
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A generator that continues with the same sequence. */
  fork(): RandomNumbers {
    return new RandomNumbers(this.state);
  }
}
