import { bytesOfBase64 } from "../../apimachinery/base64.ts";
import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";

type Variables = Map<string, string>;

const services = { group: "", resource: "services" };
const sources = [
  ["configMapRef", "configMapKeyRef", { group: "", resource: "configmaps" }],
  ["secretRef", "secretKeyRef", { group: "", resource: "secrets" }],
] as const;

/** A number: which one makes no difference to a path. */
const someNumber = "0";

/**
 * Why the sub paths of a container that variables are part of cannot be mounted; undefined if they can. Upstream: `makeMounts`
 * (pkg/kubelet/kubelet_pods.go) and `ExpandContainerVolumeMounts` (pkg/kubelet/container/helpers.go).
 */
export function subPathProblem(
  pod: KubeObject,
  container: JsonObject,
  lister: Lister,
  address: string | undefined,
): string | undefined {
  const paths = listAt(container, "volumeMounts").map((mount) => textAt(mount, "subPathExpr"));
  const expressions = paths.filter((path) => path !== "");
  if (expressions.length === 0) return undefined;
  const variables = environmentOf(pod, container, lister, address);
  for (const expression of expressions) {
    const missing = new Set<string>();
    const path = expanded(expression, (name) => {
      const value = variables.get(name) ?? "";
      if (value === "") missing.add(name);
      return value;
    });
    if (missing.size > 0) return `missing value for ${[...missing].toSorted(compareText).join(", ")}`;
    if (path.startsWith("/")) return `error SubPath \`${path}\` must not be an absolute path`;
    if (path.split("/").includes(".."))
      return `unable to provision SubPath \`${path}\`: must not contain '..'`;
  }
  return undefined;
}

/** The variables of a container. Upstream: `makeEnvironmentVariables` (pkg/kubelet/kubelet_pods.go). */
function environmentOf(
  pod: KubeObject,
  container: JsonObject,
  lister: Lister,
  address: string | undefined,
): Variables {
  const ofServices = serviceVariables(pod, lister);
  const variables: Variables = new Map();
  const valuesOf = ({ group, resource }: { group: string; resource: string }, name: string) => {
    const object = lister.get({ group, resource }, pod.metadata.namespace ?? "", name);
    const data = Object.entries(structAt(object ?? {}, "data"));
    const decoded = (value: unknown) =>
      resource === "secrets" ? new TextDecoder().decode(bytesOfBase64(String(value))) : String(value);
    return new Map(data.map(([key, value]) => [key, decoded(value)]));
  };
  for (const source of listAt(container, "envFrom")) {
    for (const [reference, , resource] of sources) {
      for (const [key, value] of valuesOf(resource, textAt(source, reference, "name")))
        variables.set(textAt(source, "prefix") + key, value);
    }
  }
  for (const variable of listAt(container, "env")) {
    const name = textAt(variable, "name");
    const from = structAt(variable, "valueFrom");
    const field = objectAt(from, "fieldRef");
    const known = (one: string) => variables.get(one) ?? ofServices.get(one) ?? `$(${one})`;
    if (field !== undefined) variables.set(name, fieldOf(pod, textAt(field, "fieldPath"), address));
    else if (objectAt(from, "resourceFieldRef") ?? objectAt(from, "fileKeyRef"))
      variables.set(name, someNumber);
    else if (Object.keys(from).length === 0) variables.set(name, expanded(textAt(variable, "value"), known));
    for (const [, reference, resource] of sources) {
      const key = textAt(from, reference, "key");
      const value = key === "" ? undefined : valuesOf(resource, textAt(from, reference, "name")).get(key);
      if (value !== undefined) variables.set(name, value);
    }
  }
  return new Map([...ofServices, ...variables]);
}

/** A text with the values of its variables, such as `$(NAME)`; `$$` stands for a dollar. */
function expanded(text: string, lookUp: (name: string) => string): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (_, name?: string) =>
    name === undefined ? "$" : lookUp(name),
  );
}

/** Upstream: `podFieldSelectorRuntimeValue`. */
function fieldOf(pod: KubeObject, path: string, address = ""): string {
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map !== undefined && key !== undefined) {
    const values = structAt(pod, "metadata", map);
    return Object.hasOwn(values, key) ? String(values[key]) : "";
  }
  if (path === "status.podIP" || path === "status.podIPs") return address;
  return textAt(pod, ...(path === "status.hostIPs" ? ["status", "hostIP"] : path.split(".")));
}

/** Upstream: pkg/kubelet/envvars/envvars.go. */
function serviceVariables(pod: KubeObject, lister: Lister): Variables {
  const master = lister.get(services, "default", "kubernetes");
  const linked = structAt(pod, "spec")["enableServiceLinks"] !== false;
  const own = linked ? lister.list(services, pod.metadata.namespace ?? "") : [];
  const all = [...(master === undefined ? [] : [master]), ...own];
  return new Map(all.flatMap(variablesOf));
}

function variablesOf(service: KubeObject): readonly (readonly [string, string])[] {
  const address = textAt(service, "spec", "clusterIP");
  if (address === "" || address === "None") return [];
  const upper = (text: string) => text.toUpperCase().replaceAll("-", "_");
  const name = upper(service.metadata.name ?? "");
  const host = address.includes(":") ? `[${address}]` : address;
  const ports = listAt(service, "spec", "ports");
  return ports.flatMap((port, index) => {
    const number = String(port["port"]);
    const protocol = textAt(port, "protocol") || "TCP";
    const url = `${protocol.toLowerCase()}://${host}:${number}`;
    const prefix = `${name}_PORT_${number}_${protocol}`;
    const portName = upper(textAt(port, "name"));
    return [
      [`${name}_SERVICE_HOST`, address],
      ...(portName === "" ? [] : [[`${name}_SERVICE_PORT_${portName}`, number] as const]),
      ...(index > 0
        ? []
        : ([
            [`${name}_SERVICE_PORT`, number],
            [`${name}_PORT`, url],
          ] as const)),
      [prefix, url],
      [`${prefix}_PROTO`, protocol.toLowerCase()],
      [`${prefix}_PORT`, number],
      [`${prefix}_ADDR`, address],
    ] as const;
  });
}
