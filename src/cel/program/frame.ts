import type { CelValue } from "../values/value.ts";

/** The evaluation has cost more than it may. */
export class CostLimitExceeded extends Error {}

/** The state of one evaluation: the values of variables by slot, and the cost so far. */
export class Frame {
  readonly slots: (CelValue | undefined)[];
  readonly limit: number;
  cost = 0;

  constructor(slots: (CelValue | undefined)[], limit: number) {
    this.slots = slots;
    this.limit = limit;
  }

  /** Adds a cost and ends the evaluation beyond the limit. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new CostLimitExceeded();
  }
}

/** A compiled expression. */
export type Evaluate = (frame: Frame) => CelValue;

/** A compiled node. */
export interface Code {
  readonly run: Evaluate;
  /** The value, if it is known before the run. */
  readonly constant?: CelValue;
  /**
   * The same without the charge for reading an attribute: cel-go does not charge it for the branches of a condition
   * and for indices (interpreter/attributes.go).
   */
  readonly uncharged?: Evaluate;
}

/** The code of a value that is known. */
export function constantCode(value: CelValue): Code {
  return { run: () => value, constant: value };
}
