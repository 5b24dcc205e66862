import { notFound, StatusError } from "../../apimachinery/errors/errors.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";
import type { ObjectVersion } from "../contract/object-interfaces.ts";
import { type FurtherVariables, RequestVariables } from "../expressions/activation.ts";
import type { AuthorizerChecks } from "../expressions/authorizer-checks.ts";
import { versionedObjects } from "../matching/versioned-objects.ts";
import type { Params } from "./params.ts";
import type { PolicyEnvironment } from "./policy-environment.ts";

const namespaces = { group: "", resource: "namespaces" };

/** The members of a namespace's metadata that expressions can see. Upstream: apiserver, plugin/cel/condition.go, CreateNamespaceObject. */
const namespaceMetadata = [
  ..."name generateName namespace uid resourceVersion generation creationTimestamp".split(" "),
  ..."deletionTimestamp deletionGracePeriodSeconds labels annotations finalizers".split(" "),
];

type Awaitable<T> = Promise<T> | T;

/** The objects that the policies of one request look at. Each is read or converted once. */
export class RequestObjects {
  readonly #attributes: AdmissionAttributes;
  readonly #environment: PolicyEnvironment;
  readonly #checks: AuthorizerChecks;
  readonly #versions = new Map<string, Awaitable<RequestVariables>>();
  #namespace: StoredNamespace | undefined;

  constructor(attributes: AdmissionAttributes, environment: PolicyEnvironment, checks: AuthorizerChecks) {
    this.#attributes = attributes;
    this.#environment = environment;
    this.#checks = checks;
  }

  /** The variables in the version in which a policy sees the request. */
  variablesIn(version: ObjectVersion): Awaitable<RequestVariables> {
    const key = keyOf(version);
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const objects = versionedObjects(this.#attributes, version, this.#environment.objects);
    const made =
      objects instanceof Promise
        ? objects.then((all) => new RequestVariables(this.#attributes, all, this.#checks))
        : new RequestVariables(this.#attributes, objects, this.#checks);
    this.#versions.set(key, made);
    return made;
  }

  /** Gives the policies that see the request in this version another object. */
  replaceObject({ objects }: RequestVariables, object: KubeObject): RequestVariables {
    const replaced = new RequestVariables(this.#attributes, { ...objects, object }, this.#checks);
    this.#versions.set(keyOf(objects.version), replaced);
    return replaced;
  }

  /** The parameters in the version that a policy names. */
  params({ objects, version }: Params): Awaitable<readonly KubeObject[]> {
    const { convert } = this.#environment.objects;
    const [first] = objects;
    const stored = parseGroupVersion(first?.apiVersion ?? "");
    if (stored === undefined || objects.length === 0) return objects;
    const { gvr, gvk } = version;
    return convert(
      objects,
      { ...version, gvr: { ...gvr, ...stored }, gvk: { ...gvk, ...stored } },
      version,
      "canonical",
    );
  }

  /**
   * The variables of a policy with this parameter. The namespace must exist whether or not an expression looks at it.
   * @throws {StatusError} notFound
   */
  further(params: KubeObject | null): FurtherVariables {
    this.#namespace ??= new StoredNamespace(namespaceOf(this.#attributes, this.#environment));
    return { params, namespaceObject: this.#namespace.shown };
  }
}

/** The namespace of a request, as expressions see it once one of them looks at it. */
class StoredNamespace {
  readonly #stored: KubeObject | null;
  #shown: JsonObject | undefined;

  constructor(stored: KubeObject | null) {
    this.#stored = stored;
  }

  readonly shown = (): JsonObject | null => {
    if (this.#stored === null) return null;
    this.#shown ??= shownNamespace(this.#stored);
    return this.#shown;
  };
}

function keyOf({ gvr: { group, version, resource } }: ObjectVersion): string {
  return `${group}/${version}/${resource}`;
}

/** Null for a request about a resource of the cluster; one about a namespace counts as such. @throws {StatusError} notFound */
function namespaceOf(
  { gvk, namespace }: AdmissionAttributes,
  { lister }: PolicyEnvironment,
): KubeObject | null {
  const isNamespace = gvk.group === "" && gvk.version === "v1" && gvk.kind === "Namespace";
  if (isNamespace || namespace === "") return null;
  const stored = lister.get(namespaces, "", namespace);
  if (stored === undefined) throw notFound(namespaces, namespace);
  return stored;
}

function shownNamespace({ metadata, spec, status }: KubeObject): JsonObject {
  return {
    metadata: membersOf({ ...metadata }, namespaceMetadata),
    ...(spec !== undefined && { spec }),
    ...(status !== undefined && { status }),
  };
}

function membersOf(object: JsonObject, names: readonly string[]): JsonObject {
  const entries = names.map((name): [string, JsonValue | undefined] => [name, object[name]]);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** The message of an error that a conversion threw. */
export function conversionProblem(error: unknown): string {
  if (!(error instanceof StatusError)) throw error;
  return `failed to convert object version: ${error.message}`;
}
