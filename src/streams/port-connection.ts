import type { Pipe } from "./pipe.ts";

/** A connection of a client to a port of a pod. */
export interface PortConnection {
  readonly port: number;
  readonly received: Pipe;
  write(piece: Uint8Array): Promise<void>;
  readonly signal: AbortSignal;
}
