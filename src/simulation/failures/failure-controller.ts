import { isAlreadyExists, isForbidden, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory, Memory } from "../../controllers/controller-memory.ts";
import type { ClusterFailures } from "../contract/cluster-failures.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { failureObject } from "./failure-objects.ts";

type Failure = ClusterFailures["current"][number]["failure"];

/** An object that a failure consists of. */
interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** The objects that failures have made, by the ids of the failures. */
class MadeObjects implements Memory {
  readonly byId: Map<string, Made>;

  constructor(byId: Iterable<readonly [string, Made]> = []) {
    this.byId = new Map(byId);
  }

  fork(): this {
    // The class has no subclasses.
    return new MadeObjects(this.byId) as this;
  }
}

/**
 * Makes the objects that failures of the cluster consist of, and removes them when the failures are over, also in a fork, which has
 * none. Events tell that a failure shows.
 */
export function failureController(environment: SimulationEnvironment, memory: ControllerMemory): Controller {
  const { failures, clientOf } = environment;
  const made = memory.part("failures/objects", () => new MadeObjects()).byId;
  const user = { name: "kubernetes-admin", uid: "", groups: ["system:masters"], extra: {} };
  const client = clientOf(user, "kubedouble");
  const keys = () => new Set([...made.keys(), ...failures.current.map(({ id }) => String(id))]);
  return {
    name: "cluster-failures",
    kinds: ["Namespace", "Event"],
    observe: ({ type, object, isFound }) => {
      if (failures.current.length === 0 || type === "delete") return [];
      if (object.kind === "Namespace") return keys();
      if (!isFound) strike(failures, made, object);
      return [];
    },
    observeRelease: keys,
    observePublication: keys,
    reconcile: async (key) => {
      const begun = failures.current.find(({ id }) => String(id) === key);
      const known = made.get(key);
      if (begun === undefined && known !== undefined) {
        const { apiVersion, kind, name, namespace } = known;
        await client.delete(apiVersion, kind, name, { namespace }).catch(ignoring(isNotFound));
        made.delete(key);
      }
      if (begun === undefined || known !== undefined) return;
      const isFirst = failures.current.find(({ failure }) => failure.type === begun.failure.type) === begun;
      const object = failureObject(begun.failure, isFirst ? "" : `-${key}`, environment);
      if (object === undefined) return;
      // A fork that is made meanwhile, which does not have the failure, removes the object.
      made.set(key, identityOf(object));
      await client.create(object).catch((error: unknown) => {
        made.delete(key);
        if (!cannotBeMade(error)) throw error;
      });
    },
  };
}

/** Counts a hit of each failure that an Event reports. */
function strike({ current }: ClusterFailures, made: ReadonlyMap<string, Made>, event: KubeObject): void {
  const isRefusal = textAt(event, "reason") === "FailedCreate";
  const message = textAt(event, "message");
  for (const { id, failure, struck } of current) {
    const name = isRefusal ? made.get(String(id))?.name : undefined;
    if (shows(failure, name, message)) struck();
  }
}

/** Whether a message is about the failure. `name` is that of its object, if the message says why a pod was not created. */
function shows(failure: Failure, name: string | undefined, message: string): boolean {
  switch (failure.type) {
    case "quotaUsedUp":
      return name !== undefined && message.includes(`exceeded quota: ${name},`);
    case "podWebhookDown":
      return name !== undefined && message.includes(`failed calling webhook "${name}.example.com"`);
    case "imageUnavailable": {
      const [, image = ""] = /^Failed to pull image "([^"]*)"/.exec(message) ?? [];
      return (
        image !== "" &&
        (typeof failure.image === "string" ? failure.image === image : image.search(failure.image) >= 0)
      );
    }
    default:
      return false;
  }
}

function identityOf(object: JsonObject): Made {
  const at = (...path: readonly string[]) => textAt(object, ...path);
  return {
    apiVersion: at("apiVersion"),
    kind: at("kind"),
    name: at("metadata", "name"),
    namespace: at("metadata", "namespace"),
  };
}

/** The namespace does not exist, yet or any more, or a client has made an object of that name. */
function cannotBeMade(error: unknown): boolean {
  return isAlreadyExists(error) || isNotFound(error) || isForbidden(error);
}

function ignoring(isExpected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isExpected(error)) throw error;
  };
}
