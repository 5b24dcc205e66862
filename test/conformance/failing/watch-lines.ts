import type { Json, JsonEvent } from "./client.ts";
import { refusalOfStatus } from "./refusal.ts";

/**
 * The events of a watch, regardless of its chunks. Unknown types are ignored, and so is an incomplete last line.
 * @throws {Refusal} for an ERROR, and for a Status without an event around it
 */
export async function* readEvents(
  answer: Response,
): AsyncGenerator<{ readonly type: string; readonly object: Json }> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of answer.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const event: JsonEvent & Partial<Json> = JSON.parse(line);
      if (event.type === undefined) throw refusalOfStatus(event, 500);
      if (event.type === "ERROR") throw refusalOfStatus(event.object ?? {}, 500);
      if (knownTypes.has(event.type) && event.object !== undefined)
        yield { type: event.type, object: event.object };
    }
  }
}

const knownTypes: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);
