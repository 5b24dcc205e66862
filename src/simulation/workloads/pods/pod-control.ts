import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { StatusError } from "../../../apimachinery/errors/errors.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { objectAt, stringsAt, structAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { controllerReference } from "../ownership/controller-reference.ts";

/** Creates and deletes the pods of an owner, and records an Event about each. Upstream: `RealPodControl` (pkg/controller/controller_utils.go). */
export class PodControl {
  readonly #client: ControllerClient;
  readonly #recorder: EventRecorder;

  constructor(client: ControllerClient, recorder: EventRecorder) {
    this.#client = client;
    this.#recorder = recorder;
  }

  /** Creates a pod. @throws {StatusError} the refusal, after an Event about it */
  async create(owner: KubeObject, manifest: JsonObject): Promise<KubeObject> {
    const { namespace = "" } = owner.metadata;
    try {
      const pod = await this.#client.create(manifest, { namespace });
      const message = `Created pod: ${pod.metadata.name}`;
      await this.#recorder.record(owner, { type: "Normal", reason: "SuccessfulCreate", message });
      return pod;
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        const message = `Error creating: ${messageOf(error)}`;
        await this.#recorder.record(owner, { type: "Warning", reason: "FailedCreate", message });
      }
      throw error;
    }
  }

  /** Deletes a pod. A missing one needs no deletion and gets no Event. @throws {Error} that says why it was refused, after an Event about it */
  async delete(owner: KubeObject, pod: KubeObject): Promise<void> {
    const { namespace = "", name = "" } = pod.metadata;
    try {
      await this.#client.delete("v1", "Pod", name, { namespace });
    } catch (error) {
      if (isNotFound(error)) return;
      const message = `Error deleting: ${messageOf(error)}`;
      await this.#recorder.record(owner, { type: "Warning", reason: "FailedDelete", message });
      throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
    }
    await this.#recorder.record(owner, {
      type: "Normal",
      reason: "SuccessfulDelete",
      message: `Deleted pod: ${name}`,
    });
  }
}

/** The manifest of a pod of a template, with its owner as its controller. Upstream: `GetPodFromTemplate`. */
export function podFromTemplate(template: JsonObject, owner: KubeObject): PodManifest {
  const finalizers = textsAt(template, "metadata", "finalizers");
  const annotations = objectAt(template, "metadata", "annotations");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${owner.metadata.name ?? ""}-`,
      labels: stringsAt(template, "metadata", "labels"),
      ...(annotations !== undefined && { annotations }),
      ownerReferences: [controllerReference(owner)],
      ...(finalizers.length > 0 && { finalizers }),
    },
    spec: structAt(template, "spec"),
  };
}

/** A pod to create. */
export interface PodManifest extends JsonObject {
  readonly metadata: JsonObject & { readonly labels: { readonly [key: string]: string } };
  readonly spec: JsonObject;
}

/** Whether a request failed because its namespace is terminating, so that each other try would fail, too. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}
