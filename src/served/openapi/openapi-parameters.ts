import type { GroupVersion } from "../../apimachinery/group-version.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ScalarType, Schema, StructSchema } from "../../catalog/type-schema.ts";

/** A parameter of the path, which is required, or of the query. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "string" | "boolean" | "integer" | "number";
  readonly description: string;
}

/** Our own descriptions of the parameters, one line each. */
const descriptions: { readonly [kind: string]: { readonly [parameter: string]: string } } = {
  ListOptions: {
    allowWatchBookmarks: "Send BOOKMARK events in a watch.",
    continue: "The token of a previous answer, to go on with its next page.",
    fieldSelector: "Only objects whose fields match.",
    labelSelector: "Only objects whose labels match.",
    limit: "The most items one answer may hold; more are had with its continue token.",
    resourceVersion: "The version to read at, or to watch from.",
    resourceVersionMatch: "How resourceVersion applies to a list: Exact or NotOlderThan.",
    sendInitialEvents: "Begin a watch with the objects there are, followed by a marked bookmark.",
    shardSelector: "Only objects of one shard.",
    timeoutSeconds: "How long a list or watch may take.",
    watch: "Stream changes instead of a list.",
  },
  DeleteOptions: {
    dryRun: "All: do everything but store the change.",
    gracePeriodSeconds:
      "Seconds until the object is deleted; 0 is at once. The kind decides when it is absent.",
    ignoreStoreReadErrorWithClusterBreakingPotential:
      "Remove the object even if what is stored cannot be read, without finalizers and preconditions.",
    orphanDependents: "Keep the dependents. Deprecated: use propagationPolicy.",
    propagationPolicy: "What happens to the dependents: Orphan, Background or Foreground.",
  },
  CreateOptions: {
    dryRun: "All: do everything but store the change.",
    fieldManager: "Who owns the fields that change.",
    fieldValidation: "What to do about unknown and duplicate fields: Ignore, Warn or Strict.",
  },
  UpdateOptions: {
    dryRun: "All: do everything but store the change.",
    fieldManager: "Who owns the fields that change.",
    fieldValidation: "What to do about unknown and duplicate fields: Ignore, Warn or Strict.",
  },
  PatchOptions: {
    dryRun: "All: do everything but store the change.",
    fieldManager: "Who owns the fields that change; an apply must say it.",
    fieldValidation: "What to do about unknown and duplicate fields: Ignore, Warn or Strict.",
    force: "Take over fields of other managers; only for an apply.",
  },
  ExportOptions: {
    exact: "Keep the fields of the cluster. Deprecated.",
    export: "Give the object as it could be created elsewhere. Deprecated.",
  },
  PodLogOptions: {
    container: "The container; may be absent if there is only one.",
    follow: "Go on as the log grows.",
    insecureSkipTLSVerifyBackend: "Do not check the certificate of the kubelet.",
    limitBytes: "End after so many bytes.",
    previous: "The log of the container's previous run.",
    sinceSeconds: "Only lines of the last seconds.",
    stream: "All, Stdout or Stderr.",
    tailLines: "Only so many lines from the end.",
    timestamps: "Begin each line with its time.",
  },
  PodExecOptions: {
    command: "The program and its arguments, one parameter each.",
    container: "The container; may be absent if there is only one.",
    stderr: "Connect standard error.",
    stdin: "Connect standard input.",
    stdout: "Connect standard output.",
    tty: "Allocate a terminal.",
  },
  PodAttachOptions: {
    container: "The container; may be absent if there is only one.",
    stderr: "Connect standard error.",
    stdin: "Connect standard input.",
    stdout: "Connect standard output.",
    tty: "Attach to a terminal.",
  },
  PodPortForwardOptions: { ports: "The ports to forward." },
  NodeProxyOptions: { path: "The path of the request to the node." },
  PodProxyOptions: { path: "The path of the request to the pod." },
  ServiceProxyOptions: { path: "The path of the request to the service." },
};

/** A parameter of all operations on objects, except connects. */
export const prettyParameter: OpenApiParameter = {
  name: "pretty",
  in: "query",
  type: "string",
  description: "Indent the answer.",
};

/** The namespace in the path. */
export const namespaceParameter: OpenApiParameter = {
  name: "namespace",
  in: "path",
  type: "string",
  description: "The namespace of the object.",
};

/** The rest of the path of a proxied request. */
export const pathParameter: OpenApiParameter = {
  name: "path",
  in: "path",
  type: "string",
  description: "The path to the resource.",
};

/** The name in the path of an object. */
export function nameParameter(kind: string): OpenApiParameter {
  return { name: "name", in: "path", type: "string", description: `name of the ${kind}` };
}

/** The parameters of the option kinds of one catalog, each list made once. */
class OptionsParameters {
  readonly #bySchema = new Map<StructSchema, readonly OpenApiParameter[]>();

  of(schema: StructSchema): readonly OpenApiParameter[] {
    const known = this.#bySchema.get(schema) ?? parametersOf(schema);
    this.#bySchema.set(schema, known);
    return known;
  }
}

/**
 * The query parameters of a call, whose options are a kind: the fields of simple types, and lists of those. Upstream's
 * generator ignores times, and so do we.
 */
export function optionsParameters(
  catalog: Catalog,
  gv: GroupVersion,
  kind: string,
): readonly OpenApiParameter[] {
  const schema = catalog.kind({ ...gv, kind });
  return schema === undefined ? [] : catalog.derived(createOptionsParameters).of(schema);
}

function createOptionsParameters(): OptionsParameters {
  return new OptionsParameters();
}

function parametersOf(schema: StructSchema): readonly OpenApiParameter[] {
  const texts = descriptions[schema.name] ?? {};
  const parameters: OpenApiParameter[] = [];
  for (const field of schema.fields) {
    const type = parameterType(field.schema);
    if (type === undefined) continue;
    parameters.push({ name: field.name, in: "query", type, description: texts[field.name] ?? "" });
  }
  return parameters;
}

const parameterTypes: { readonly [scalar in ScalarType]?: OpenApiParameter["type"] } = {
  string: "string",
  bool: "boolean",
  int32: "integer",
  int64: "integer",
  double: "number",
};

function parameterType(schema: Schema): OpenApiParameter["type"] | undefined {
  if (schema.type === "list") return parameterType(schema.items);
  return schema.type === "scalar" ? parameterTypes[schema.scalar] : undefined;
}
