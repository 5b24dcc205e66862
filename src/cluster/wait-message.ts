import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { encodeJson, encodePrettyJson } from "../codec/json/json.ts";

/** A wait whose time is over. */
interface EndedWait {
  readonly query: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name?: string | undefined;
    readonly namespace?: string;
  };
  /** The source text of the condition. */
  readonly condition: string;
  readonly timeout: string;
  /** The last state; undefined if the server has not answered. */
  readonly objects: readonly KubeObject[] | undefined;
}

/** The longest text of an object, of an object in a list, and of a condition. */
const longest = { object: 4000, item: 300, condition: 200 };

/** How many objects of a list are shown. */
const shownItems = 10;

/** The message of a wait whose time is over: what did not happen, and the last state. */
export function lastState({ query, condition, timeout, objects }: EndedWait): string {
  const { apiVersion, kind, name, namespace } = query;
  const place = namespace === undefined ? "" : ` in namespace ${namespace}`;
  const what = name === undefined ? `the list of ${kind}` : `${kind} ${name}`;
  const text = shortened(condition, longest.condition);
  const missed = condition === "deleted" ? "is not deleted" : `does not meet the condition ${text}`;
  const head = `After ${timeout}, ${what} (${apiVersion})${place} ${missed}`;
  return `${head}\n${objects === undefined ? "The server has not answered." : stateOf(objects, name)}`;
}

function stateOf(objects: readonly KubeObject[], name: string | undefined): string {
  const [first] = objects;
  if (name === undefined) return listState(objects);
  if (first === undefined) return "The object does not exist.";
  return `Its last state:\n${shortened(encodePrettyJson(readable(first)), longest.object)}`;
}

function listState(objects: readonly KubeObject[]): string {
  if (objects.length === 0) return "The list is empty.";
  const shown = objects.slice(0, shownItems).map((object) => {
    const { namespace, name = "" } = object.metadata;
    const { apiVersion: _, kind: __, metadata: ___, ...fields } = readable(object);
    return `  ${namespace === undefined ? name : `${namespace}/${name}`} ${shortened(encodeJson(fields), longest.item)}`;
  });
  const rest = objects.length > shownItems ? [`  and ${objects.length - shownItems} more`] : [];
  const count = objects.length === 1 ? "1 object" : `${objects.length} objects`;
  return [`The last list has ${count}:`, ...shown, ...rest].join("\n");
}

/** The object without the record of its field managers. */
function readable(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}...`;
}
