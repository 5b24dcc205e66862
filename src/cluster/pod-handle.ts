import type { Clock } from "../apimachinery/clock.ts";
import { checkOptions, checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import { integerFrom, oneOf } from "../apimachinery/option-types.ts";
import { labels, objectName } from "../scenario/label-option-type.ts";
import type { Address } from "../webhooks/address.ts";
import type { TargetHandle } from "../webhooks/outgoing-targets.ts";
import type {
  AttachScript,
  ExecScript,
  PodScript,
  PortForwardScript,
  ProxyScript,
  ResourceUsage,
  ScriptedPods,
} from "../webhooks/pod-script.ts";
import type { ClusterCore } from "./cluster-core.ts";
import { namedAddress } from "./target-option-types.ts";

/** The pods of a namespace that scripts are for, unless one is named. */
export interface PodSelection {
  /** Default: "default". */
  readonly namespace?: string;
  /** Labels that a pod has. Default: any. */
  readonly labels?: { readonly [label: string]: string };
  /** A pattern for the image of one of its containers. Default: any. */
  readonly image?: RegExp;
}

/** Where the text of a log goes. */
export interface LogOptions {
  /** Default: every container. */
  readonly container?: string;
  /** Default: "Stdout". */
  readonly stream?: "Stdout" | "Stderr";
  /**
   * The run of the container, by its restartCount. Default: every run that has not ended yet; a run that starts later begins with the
   * text.
   */
  readonly restart?: number;
}

const action: OptionType = { accepts: "a function", isValid: (value) => typeof value === "function" };
const selectionTypes = {
  namespace: objectName,
  labels,
  image: { accepts: "a regular expression", isValid: (value: unknown) => value instanceof RegExp },
};
const logTypes = { container: objectName, stream: oneOf("Stdout", "Stderr"), restart: integerFrom(0) };
const port: OptionType = {
  accepts: "a port from 1 to 65535",
  isValid: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536,
};
const logged: OptionType = {
  accepts: "text or a list of lines",
  isValid: (value) =>
    typeof value === "string" || (Array.isArray(value) && value.every((line) => typeof line === "string")),
};

/** As much of a log as is kept, in characters: the kubelet rotates a log of 10 MiB (containerLogMaxSize) and reads only the newest file. */
const longestLog = 10 * 1024 * 1024;

/** The pods or the node that a handle plays. */
interface Scripted {
  readonly pods: ScriptedPods;
  readonly cluster: ClusterCore;
}

/** Plays a node. The last script that was given counts, until its handle is removed. */
export class NodeHandle {
  readonly #scripted: Scripted;

  /** Use `cluster.node`. */
  constructor(pods: ScriptedPods, cluster: ClusterCore) {
    this.#scripted = { pods, cluster };
  }

  /**
   * Says what it uses, for `kubectl top` and other clients of `metrics.k8s.io`, which the cluster serves from then on:
   * `await cluster.node("n").usage({ cpu: "1", memory: "2Gi" })`. The last call counts. A test that has its own
   * `cluster.apiServer("v1beta1.metrics.k8s.io", ...)` keeps it.
   * @throws {TypeError} for no quantity
   */
  usage(used: ResourceUsage): Promise<TargetHandle> {
    return addUsage(this.#scripted, used, {});
  }

  /**
   * Answers requests through the proxy of the API server: `cluster.node("n").onProxy((request) => new Response("hello"))`. What the
   * function throws is a connection that fails.
   */
  onProxy(run: ProxyScript): TargetHandle {
    checkValue("onProxy", run, action);
    return add(this.#scripted, { type: "proxy", run });
  }
}

/** Plays pods, whether they run on a simulated node or on none. The last script that was given counts, until its handle is removed. */
export class PodHandle {
  readonly #scripted: Scripted;
  readonly #clock: Clock;
  /** What is kept of the logs, by container. */
  readonly #logs = new Map<string, { size: number; handles: TargetHandle[] }>();

  /** Use `cluster.pod`. */
  constructor(pods: ScriptedPods, cluster: ClusterCore) {
    this.#scripted = { pods, cluster };
    this.#clock = cluster.clock;
  }

  /**
   * Runs commands: `cluster.pod("web").onExec(async ({ command, stdin, stdout }) => { await stdout.write("done\n"); return 0; })`. The
   * function returns the exit code; what it throws is an error of the container runtime.
   */
  onExec(run: ExecScript): TargetHandle {
    checkValue("onExec", run, action);
    return add(this.#scripted, { type: "exec", run });
  }

  /** Plays the process for clients that attach to it. For them, it ends when the function returns. */
  onAttach(run: AttachScript): TargetHandle {
    checkValue("onAttach", run, action);
    return add(this.#scripted, { type: "attach", run });
  }

  /**
   * Answers on a port: `cluster.pod("web").onPortForward(8080, 3000)`. A number is a port of this machine's loopback, a text such as
   * "db.example.com:5432" another address, and a function gets each connection.
   * @throws {Error} for another form
   */
  onPortForward(forwarded: number, to: PortForwardScript | number | string): TargetHandle {
    checkValue("onPortForward: the port", forwarded, port);
    if (typeof to === "number") checkValue("onPortForward: the local port", to, port);
    return add(this.#scripted, { type: "portForward", port: forwarded, to: targetOf(to) });
  }

  /**
   * Writes to the logs: `cluster.pod("web").log("listening\n", { container: "app" })`. A text may have several lines; elements of a list
   * are lines. Clients that follow get them at once. A log that would have more than 10 MiB starts again, as the kubelet rotates it.
   * Removing the handle takes the lines back.
   */
  log(content: string | readonly string[], options: LogOptions = {}): TargetHandle {
    checkValue("log", content, logged);
    checkOptions("log", options, logTypes);
    const { container, stream = "Stdout", restart } = options;
    const written = typeof content === "string" ? content : content.map((line) => `${line}\n`).join("");
    const log = this.#logs.get(container ?? "") ?? { size: 0, handles: [] };
    this.#logs.set(container ?? "", log);
    if (log.size + written.length > longestLog) {
      for (const handle of log.handles.splice(0)) handle.remove();
      log.size = 0;
    }
    const time = this.#clock.now();
    const handle = add(this.#scripted, { type: "log", text: written, container, stream, restart, time });
    log.size += written.length;
    log.handles.push(handle);
    return handle;
  }

  /**
   * Says what it uses, for `kubectl top` and other clients of `metrics.k8s.io`, which the cluster serves from then on:
   * `await cluster.pod("web").usage({ cpu: "250m", memory: "64Mi" }, { container: "app" })`. Each container of a pod uses as much, unless
   * one is named. The last call counts. A test that has its own `cluster.apiServer("v1beta1.metrics.k8s.io", ...)` keeps it.
   * @throws {TypeError} for an unknown option or no quantity
   */
  usage(used: ResourceUsage, options: Pick<LogOptions, "container"> = {}): Promise<TargetHandle> {
    return addUsage(this.#scripted, used, options);
  }

  /**
   * Answers requests through the proxy of the API server: `cluster.pod("web").onProxy((request) => new Response("hello"))`. The proxy of a
   * Service leads to the pod of a ready endpoint. What the function throws is a connection that fails.
   */
  onProxy(run: ProxyScript): TargetHandle {
    checkValue("onProxy", run, action);
    return add(this.#scripted, { type: "proxy", run });
  }
}

function add({ pods, cluster }: Scripted, script: PodScript): TargetHandle {
  return cluster.targets.pods.add("", { pods, script });
}

async function addUsage(
  scripted: Scripted,
  used: ResourceUsage,
  options: Pick<LogOptions, "container">,
): Promise<TargetHandle> {
  const { addScriptedUsage } = await import("./metrics-server.ts");
  return addScriptedUsage(scripted, used, options);
}

function targetOf(to: PortForwardScript | number | string): PortForwardScript | Address {
  if (typeof to === "function") return to;
  return typeof to === "number" ? { host: "127.0.0.1", port: to } : namedAddress("port/forward", to).address;
}

/** The pods of this name, or those that have the labels and the image. @throws {TypeError} for other options */
export function podHandle(
  which: string | PodSelection,
  options: Pick<PodSelection, "namespace">,
  cluster: ClusterCore,
): PodHandle {
  const name = typeof which === "string" ? which : undefined;
  const selection: PodSelection = typeof which === "string" ? options : which;
  checkOptions("pod", selection, name === undefined ? selectionTypes : { namespace: objectName });
  if (name !== undefined) checkValue("pod", name, objectName);
  const { namespace = "default", labels: chosen = {}, image } = selection;
  return new PodHandle(cluster.names.real({ kind: "Pod", name, namespace, labels: chosen, image }), cluster);
}

/** The node of this name. */
export function nodeHandle(name: string, cluster: ClusterCore): NodeHandle {
  checkValue("node", name, objectName);
  return new NodeHandle(
    { kind: "Node", name: cluster.names.real(name), namespace: "", labels: {}, image: undefined },
    cluster,
  );
}
