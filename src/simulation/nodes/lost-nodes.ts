import type { Memory } from "../../controllers/controller-memory.ts";

/** The loss of a node. */
export interface Loss {
  /** The script or the failure that says so: `script/1`, `failure/1`. */
  readonly cause: string;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/** The nodes whose kubelets do nothing. */
export class LostNodes implements Memory {
  readonly #losses = new Map<string, Loss>();

  fork(): this {
    const copy = new LostNodes();
    for (const [node, loss] of this.#losses) copy.#losses.set(node, loss);
    // The class has no subclasses.
    return copy as this;
  }

  has(node: string): boolean {
    return this.#losses.has(node);
  }

  get(node: string): Loss | undefined {
    return this.#losses.get(node);
  }

  lose(node: string, cause: string, since: number): void {
    if (!this.#losses.has(node)) this.#losses.set(node, { cause, since });
  }

  /** Brings back the nodes whose causes have ended, and returns their names. */
  recover(isInEffect: (cause: string) => boolean): readonly string[] {
    const back = [...this.#losses].filter(([, { cause }]) => !isInEffect(cause)).map(([node]) => node);
    for (const node of back) this.#losses.delete(node);
    return back;
  }
}
