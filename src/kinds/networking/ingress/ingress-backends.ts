import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";

type ChangeBackend = (backend: JsonObject) => JsonObject;

/** Converts an Ingress from v1beta1 to v1, where a service is a structure and `backend` is named `defaultBackend`. */
export function ingressFromBeta<T extends JsonObject>(ingress: T): T {
  return withBackends(ingress, "backend", "defaultBackend", backendFromBeta);
}

/** Converts an Ingress from v1 to v1beta1. */
export function ingressToBeta<T extends JsonObject>(ingress: T): T {
  return withBackends(ingress, "defaultBackend", "backend", backendToBeta);
}

/** A textual port, even an empty one, makes a service; the number 0 alone does not. */
function backendFromBeta({ serviceName, servicePort, ...kept }: JsonObject): JsonObject {
  const isNamed = typeof servicePort === "string";
  const name = typeof serviceName === "string" ? serviceName : "";
  if (name === "" && !isNamed && (servicePort ?? 0) === 0) return kept;
  return { ...kept, service: { name, port: isNamed ? { name: servicePort } : { number: servicePort ?? 0 } } };
}

function backendToBeta({ service, ...kept }: JsonObject): JsonObject {
  if (!isJsonObject(service)) return kept;
  const port = objectAt(service, "port") ?? {};
  const servicePort: JsonValue = textAt(port, "name") || (port["number"] ?? 0);
  return { ...kept, serviceName: textAt(service, "name"), servicePort };
}

function withBackends<T extends JsonObject>(
  ingress: T,
  defaultBefore: string,
  defaultAfter: string,
  change: ChangeBackend,
): T {
  const { spec } = ingress;
  if (!isJsonObject(spec)) return ingress;
  const { [defaultBefore]: backend, ...rest } = spec;
  const rules = each(spec["rules"], (rule) =>
    within(rule, "http", (http) => {
      const paths = each(http["paths"], (path) => within(path, "backend", change));
      return paths === undefined ? http : { ...http, paths };
    }),
  );
  return {
    ...ingress,
    spec: {
      ...rest,
      ...(isJsonObject(backend) && { [defaultAfter]: change(backend) }),
      ...(rules !== undefined && { rules }),
    },
  };
}

function each(list: JsonValue | undefined, change: ChangeBackend): readonly JsonObject[] | undefined {
  return Array.isArray(list) ? list.filter(isJsonObject).map(change) : undefined;
}

function within(object: JsonObject, name: string, change: ChangeBackend): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? { ...object, [name]: change(value) } : object;
}
