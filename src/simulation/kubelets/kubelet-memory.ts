import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableMap } from "../../store/forkable-map.ts";
import { ForkableTable } from "../../store/forkable-table.ts";
import type { PodRuntime } from "../pods/pod-runtime.ts";

/** The pods that leave a node for a critical one. */
export interface Preemption {
  /** The namespace and name of the critical pod, with a slash. */
  readonly key: string;
  readonly uid: string;
  /** Their keys. They leave one after the other. */
  readonly victims: readonly string[];
  /** How many of them were asked to leave. */
  readonly asked: number;
}

/** In place of the revision of a pod. */
const undecided = "";

/** What the kubelets of all nodes remember. */
export class KubeletMemory implements Memory {
  /** The pods that run, by namespace and name. */
  #runtimes = new ForkableMap<PodRuntime>();
  /** Their keys, by node and key. */
  #places = new ForkableMap<string>();
  /** By node. */
  #preemptions = new ForkableTable<Preemption>();
  /** The keys of the pods that stages play, by themselves. */
  staged: ForkableMap<string> = new ForkableMap();
  /** The pods that were deleted and that the kubelet has not looked at since, by their keys. */
  #deleted = new ForkableMap<KubeObject>();
  #images = new ForkableTable<true>();
  /** The states of pods that only a change of the pod or of scripts can change: their revisions, by the keys of the pods. */
  #settled = new ForkableTable<string>();
  /** The keys of pods, by the kind, namespace and name of what they wait for, and by themselves. */
  #waiting = new ForkableMap<string>();
  /** What each pod waits for. */
  #awaited = new ForkableTable<string>();

  fork(): this {
    const copy = new KubeletMemory();
    copy.#runtimes = this.#runtimes.fork();
    copy.#places = this.#places.fork();
    copy.#preemptions = this.#preemptions.fork();
    copy.staged = this.staged.fork();
    copy.#deleted = this.#deleted.fork();
    copy.#images = this.#images.fork();
    copy.#settled = this.#settled.fork();
    copy.#waiting = this.#waiting.fork();
    copy.#awaited = this.#awaited.fork();
    // The class has no subclasses.
    return copy as this;
  }

  /** What is known of a pod that runs. */
  runtimeOf(pod: string): PodRuntime | undefined {
    return this.#runtimes.get(pod);
  }

  setRuntime(runtime: PodRuntime): void {
    const { key, node } = runtime;
    const known = this.#runtimes.get(key);
    this.#runtimes.set(key, runtime);
    if (known?.node === node) return;
    if (known !== undefined) this.#places.delete(placeOf(known));
    this.#places.set(placeOf(runtime), key);
  }

  deleteRuntime(pod: string): void {
    const known = this.#runtimes.get(pod);
    if (known === undefined) return;
    this.#runtimes.delete(pod);
    this.#places.delete(placeOf(known));
  }

  /** Notes the last state of a pod that was deleted. */
  noteDeleted(pod: string, object: KubeObject): void {
    this.#deleted.set(pod, object);
  }

  /** The last state of a pod that was deleted since the last call. */
  takeDeleted(pod: string): KubeObject | undefined {
    const object = this.#deleted.get(pod);
    if (object !== undefined) this.#deleted.delete(pod);
    return object;
  }

  /** The keys of the pods that run on a node, in order. */
  podsOn(node: string): readonly string[] {
    return this.#places.values(`${node}/`);
  }

  /** Which pods leave a node for a critical one. */
  preemptionOn(node: string): Preemption | undefined {
    return this.#preemptions.get(node);
  }

  setPreemption(node: string, preemption: Preemption): void {
    this.#preemptions.set(node, preemption);
  }

  endPreemption(node: string): void {
    this.#preemptions.delete(node);
  }

  /** The images of a node. */
  imagesOf(node: string): { has(image: string): boolean; add(image: string): void } {
    return {
      has: (image) => this.#images.has(`${node}/${image}`),
      add: (image) => this.#images.set(`${node}/${image}`, true),
    };
  }

  /** Notes that it is being decided what happens to a pod. */
  beginToSettle(pod: string): void {
    this.#settled.set(pod, undecided);
  }

  /** Notes that nothing happens to a pod until it changes, unless scripts have changed since the decision began. */
  settle(pod: string, resourceVersion: string): void {
    if (this.#settled.get(pod) === undecided) this.#settled.set(pod, resourceVersion);
  }

  isSettled(pod: string, resourceVersion: string): boolean {
    return this.#settled.get(pod) === resourceVersion;
  }

  /** Forgets that nothing happens to a pod. */
  unsettle(pod: string): void {
    this.#settled.delete(pod);
  }

  /** Forgets that nothing happens to any pod, and returns the keys of all: of those that run, and of those that stages play. */
  unsettleAll(): readonly string[] {
    const keys = [...this.#runtimes.values("").map(({ key }) => key), ...this.staged.values("")];
    for (const key of keys) this.unsettle(key);
    return keys;
  }

  /** Lets a pod wait for an object, and for no other. */
  await(pod: string, kind: string, namespace: string, name: string): void {
    this.stopAwaiting(pod);
    const place = `${waitingPrefix(kind, namespace, name)}${pod}`;
    this.#waiting.set(place, pod);
    this.#awaited.set(pod, place);
  }

  stopAwaiting(pod: string): void {
    const place = this.#awaited.get(pod);
    if (place === undefined) return;
    this.#waiting.delete(place);
    this.#awaited.delete(pod);
  }

  /** The keys of the pods that wait for an object. */
  waitingFor(kind: string, namespace: string, name: string): readonly string[] {
    return this.#waiting.values(waitingPrefix(kind, namespace, name));
  }
}

function placeOf({ node, key }: PodRuntime): string {
  return `${node}/${key}`;
}

function waitingPrefix(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}/`;
}
