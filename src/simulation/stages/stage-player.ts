import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ControllerClient } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type {
  PlayedApply,
  PlayedPatch,
  PlayedStage,
  PlayedStep,
  TemplateFunctions,
} from "../contract/played-stages.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import type { NodeNetworks } from "../nodes/node-networks.ts";
import { stageFunctions } from "./stage-functions.ts";
import type { StageMemory } from "./stage-memory.ts";

const agent = "kwok";
/** KWOK's controller, with the rights of an administrator: a test needs no roles for it. */
const kwok: UserInfo = {
  name: "system:serviceaccount:kube-system:kwok-controller",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};

/** Does what stages say. */
export class StagePlayer {
  readonly #environment: SimulationEnvironment;
  readonly #networks: NodeNetworks;
  readonly #memory: StageMemory;
  readonly #client: ControllerClient;
  readonly #recorder: EventRecorder;

  constructor(
    environment: SimulationEnvironment,
    memory: ControllerMemory,
    networks: NodeNetworks,
    stages: StageMemory,
  ) {
    this.#environment = environment;
    this.#networks = networks;
    this.#memory = stages;
    this.#client = environment.clientOf(kwok, agent);
    this.#recorder = new EventRecorder({
      client: this.#client,
      clock: environment.clock,
      memory,
      // The name of KWOK's recorder (pkg/kwok/controllers/controller.go).
      source: { component: "kwok_controller" },
    });
  }

  /**
   * Plays the steps of a stage. One that fails ends them, as in KWOK; where KWOK writes a line into its log, the object gets the
   * Event StageFailed.
   */
  async play(stage: PlayedStage, object: KubeObject): Promise<void> {
    try {
      for (const step of stage.steps) {
        await this.#step(step, object);
        if (step.type === "delete") return;
      }
    } catch (error) {
      // Another request has deleted or replaced the object, which is observed next.
      if (isNotFound(error) || isConflict(error)) return;
      await this.fail(stage, object, messageOf(error));
    }
  }

  /** Says in an Event why a stage is not played to its end. */
  async fail({ name }: PlayedStage, object: KubeObject, problem: string): Promise<void> {
    const message = `Stage ${name}: ${problem}`;
    await this.#recorder.record(object, { type: "Warning", reason: "StageFailed", message });
  }

  async #step(step: PlayedStep, object: KubeObject): Promise<void> {
    switch (step.type) {
      case "event":
        await this.#recorder.record(object, step.event);
        return;
      case "finalizers":
        await this.#finalize(step.changed, object);
        return;
      case "delete":
        await this.#delete(object);
        return;
      case "patch":
        await this.#patch(step.patch, object);
        return;
      case "apply":
        await this.#apply(step.apply, object);
    }
  }

  async #finalize(
    changed: (finalizers: readonly string[]) => readonly string[],
    object: KubeObject,
  ): Promise<void> {
    const { name = "", namespace = "", finalizers: known = [] } = object.metadata;
    const finalizers = changed(known);
    if (finalizers.join() === known.join()) return;
    const patch = { metadata: { finalizers } };
    await this.#client.patch(object.apiVersion, object.kind, name, patch, { namespace, type: "merge" });
  }

  /** At once, as KWOK does it. */
  async #delete(object: KubeObject): Promise<void> {
    const { name = "", namespace = "" } = object.metadata;
    await this.#client.delete(object.apiVersion, object.kind, name, { namespace, gracePeriodSeconds: 0 });
  }

  async #patch({ type, subresource, user, patchOf }: PlayedPatch, object: KubeObject): Promise<void> {
    const { name = "", namespace = "" } = object.metadata;
    const patch = patchOf(object, this.#functionsFor(object));
    await this.#clientOf(user).patch(object.apiVersion, object.kind, name, patch, {
      namespace,
      type,
      ...(subresource !== "" && { subresource }),
    });
  }

  /** Names what it is for by itself, also its namespace. */
  async #apply({ type, subresource, user, manifestOf }: PlayedApply, object: KubeObject): Promise<void> {
    const manifest = manifestOf(object, this.#functionsFor(object));
    const { apiVersion, kind, metadata } = manifest;
    const { name = "", namespace } = metadata;
    const target = {
      ...(namespace !== undefined && { namespace }),
      ...(subresource !== "" && { subresource }),
    };
    const client = this.#clientOf(user);
    if (type === "apply") await client.apply(manifest, { ...target, fieldManager: agent, force: true });
    else await client.patch(apiVersion, kind, name, manifest, { ...target, type });
  }

  #functionsFor(object: KubeObject): TemplateFunctions {
    return stageFunctions(object, this.#environment, this.#networks, this.#memory);
  }

  #clientOf(user: string | undefined): ControllerClient {
    return user === undefined ? this.#client : this.#environment.clientOf(userOf(user), agent);
  }
}

/** The user whom a stage impersonates. */
function userOf(name: string): UserInfo {
  return { name, uid: "", groups: ["system:authenticated"], extra: {} };
}
