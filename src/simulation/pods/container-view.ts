import type { ContainerRuntime, PodContainer } from "./pod-runtime.ts";

/** A container as its status shows it. */
export interface ContainerView {
  readonly container: PodContainer;
  readonly state: ContainerRuntime;
  readonly isReady: boolean;
  readonly isStarted: boolean;
}
