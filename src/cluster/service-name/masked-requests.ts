import type { RequestView } from "../../scenario/request-matcher.ts";
import { mapped } from "./client-names.ts";
import { fromClient, renamedText, toClient } from "./renaming.ts";

/** Requests for a test that uses masked names: what clients sent and got. */
export const maskedRequests: RequestView = {
  shown: (request) => {
    const shown = {};
    // What becomes known of a request later appears here too.
    for (const [name] of Object.entries(request)) {
      Object.defineProperty(shown, name, {
        enumerable: true,
        // The names are those of the request.
        get: () => maskedValue(request[name as keyof typeof request]),
      });
    }
    // It has the members of the request.
    return shown as typeof request;
  },
  // Clients may use the real names too. The keys stay.
  scope: (scope) =>
    Object.fromEntries(Object.entries(scope).map(([name, wanted]) => [name, maskedCriterion(wanted)])),
  real: fromClient,
};

function maskedCriterion(wanted: unknown): unknown {
  if (wanted instanceof RegExp) return new RegExp(toClient(wanted.source), wanted.flags);
  return mapped(wanted, toClient);
}
function maskedValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return isProtobuf(value) ? value : renamedText(value, toClient);
  return mapped(value, toClient);
}

/** The first bytes of protobuf (apimachinery, pkg/runtime/serializer/protobuf). Lengths in it count bytes, so it stays. */
function isProtobuf(body: Uint8Array): boolean {
  return [0x6b, 0x38, 0x73, 0x00].every((byte, i) => body[i] === byte);
}
