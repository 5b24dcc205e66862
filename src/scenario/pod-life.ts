/** How the containers of a pod live, as plain data. What is not said goes as for any pod. Times are milliseconds of the cluster's clock. */
export interface PodLife {
  /** The function that made it. */
  readonly name: string;
  /** How long after their start containers are ready; `false`: never. */
  readonly readyAfter?: number | false;
  /** A probe of the containers fails, some time after their start; the message is that of the probe. */
  readonly failingProbe?: {
    readonly probe: "startup" | "readiness" | "liveness";
    readonly after: number;
    readonly message?: string;
  };
  /** How containers end by themselves. */
  readonly exit?: ContainerExit;
  /** Why images cannot be pulled; empty if they do not exist. */
  readonly pullError?: string;
  /** How long a pull takes. */
  readonly pullTakes?: number;
  /** How long containers go on after they are asked to terminate. */
  readonly terminationTakes?: number;
  /** The kubelet evicts the pod. */
  readonly eviction?: { readonly after: number; readonly message: string };
  /** The node of the pod is lost. */
  readonly nodeLost?: { readonly after: number };
}

/** The end of a container. */
export interface ContainerExit {
  readonly exitCode: number;
  readonly reason: string;
  /** How long after its start. */
  readonly after: number;
}

/** The pods and containers that a script is for. A member that is left out matches everything. */
export interface PodSelector {
  /** The image of a container: the script is for the containers with this image only. */
  readonly image?: string | RegExp;
  readonly name?: string | RegExp;
  readonly namespace?: string | RegExp;
  readonly node?: string | RegExp;
  /** The name of a container: the script is for this container only. */
  readonly container?: string | RegExp;
  /** Labels that the pod has, with these values. */
  readonly labels?: { readonly [label: string]: string };
  readonly annotations?: { readonly [annotation: string]: string };
}

/** What a life has that a function of `kubedouble/scenarios` has made: it checks what callers have added. It is the same in each copy of this code. */
export const lifeCheck: unique symbol = Symbol.for("script");
