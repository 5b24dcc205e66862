import { listAt, numberAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import type { PlacedContainer } from "../edits/container-paths.ts";
import { fractionWarnings } from "./claim-spec-warnings.ts";

const amounts: readonly (readonly [list: string, resource: string])[] = [
  ["limits", "memory"],
  ["requests", "memory"],
  ["limits", "ephemeral-storage"],
  ["requests", "ephemeral-storage"],
];

/** Warns about fractional bytes in the resources of a container. */
export function amountWarnings({ container, path }: PlacedContainer): readonly string[] {
  if (container["resources"] === undefined) return [];
  return amounts.flatMap(([list, resource]) =>
    fractionWarnings(
      textAt(container, "resources", list, resource),
      key(child(path, "resources", list), resource),
    ),
  );
}

/** Warns about variables with the same name, of which apply keeps one, unless the second refers to the first. */
export function envWarnings({ container, path }: PlacedContainer): readonly string[] {
  const warnings: string[] = [];
  if (sizeAt(container, "env") < 2) return warnings;
  const names = new Set<string>();
  listAt(container, "env").forEach((variable, i) => {
    const name = textAt(variable, "name");
    if (!names.has(name)) {
      names.add(name);
      return;
    }
    const value = textAt(variable, "value");
    const ref = `$(${name})`;
    if (variable["valueFrom"] === undefined && value !== ref && value.includes(ref)) return;
    const hides = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    warnings.push(`${index(child(path, "env"), i)}: ${hides}`);
  });
  return warnings;
}

interface PlacedPort {
  readonly port: JsonObject;
  readonly path: string;
}

/**
 * Upstream compares each pair of ports with the same number, which is quadratic work. Here, only the first ports of a
 * number are compared.
 */
const mostCompared = 100;

/** Warns about ports of all containers that are duplicates or could conflict. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const warnings: string[] = [];
  const placed = new Map<string, PlacedPort[]>();
  for (const { container, path } of containers) {
    listAt(container, "ports").forEach((port, i) => {
      const at = index(child(path, "ports"), i);
      if (textAt(port, "hostIP") && numberAt(port, "hostPort") === 0) {
        warnings.push(`${at}: hostIP set without hostPort: ${goPort(port)}`);
      }
      const number = `${numberAt(port, "containerPort")}/${textAt(port, "protocol")}`;
      const others = placed.get(number) ?? [];
      if (others.length === mostCompared) return;
      for (const other of others) {
        const relation = relationOf(port, other.port);
        if (relation !== undefined) warnings.push(`${at}: ${relation} port definition with ${other.path}`);
      }
      others.push({ port, path: at });
      placed.set(number, others);
    });
  }
  return warnings;
}

/** How two ports with the same number and protocol conflict. */
function relationOf(port: JsonObject, other: JsonObject): string | undefined {
  const [ip, otherIp] = [textAt(port, "hostIP"), textAt(other, "hostIP")];
  const [hostPort, otherHostPort] = [numberAt(port, "hostPort"), numberAt(other, "hostPort")];
  if (ip === otherIp && hostPort === otherHostPort) return "duplicate";
  if (hostPort === 0 || otherHostPort === 0) return "overlapping";
  const isAmbiguous = hostPort === otherHostPort && (ip === "") !== (otherIp === "");
  return isAmbiguous ? "dangerously ambiguous" : undefined;
}

/** A port in the format of Go's `%+v`. */
function goPort(port: JsonObject): string {
  const { name = "", protocol = "", hostIP = "" } = port;
  const numbers = `HostPort:${numberAt(port, "hostPort")} ContainerPort:${numberAt(port, "containerPort")}`;
  return `{Name:${name} ${numbers} Protocol:${protocol} HostIP:${hostIP}}`;
}
