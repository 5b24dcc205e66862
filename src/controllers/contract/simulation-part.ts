/** A part of a simulated cluster. */
export type SimulationPart = "workloads" | "scheduler" | "kubelets";

/** All parts. */
export const simulationParts: readonly SimulationPart[] = ["workloads", "scheduler", "kubelets"];
