import type { StatusError } from "../../apimachinery/errors/errors.ts";
import { badRequest, conflict, expired, plainError, timeout } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";

const modified =
  "the object has been modified; please apply your changes to the latest version and try again";

/** A write with an outdated resourceVersion. */
export function objectModified(gr: GroupResource, name: string): StatusError {
  return conflict(gr, name, modified);
}

/** A write with the uid of another object of the same name. */
export function uidPreconditionFailed(
  gr: GroupResource,
  name: string,
  storageKey: string,
  sent: string,
  live: string,
): StatusError {
  return preconditionFailed(gr, name, storageKey, "UID", sent, live);
}

/** A delete with an outdated resourceVersion as its precondition. */
export function resourceVersionPreconditionFailed(
  gr: GroupResource,
  name: string,
  storageKey: string,
  sent: string,
  live: string,
): StatusError {
  return preconditionFailed(gr, name, storageKey, "ResourceVersion", sent, live);
}

function preconditionFailed(
  gr: GroupResource,
  name: string,
  storageKey: string,
  what: string,
  sent: string,
  live: string,
): StatusError {
  const detail = `Precondition failed: ${what} in precondition: ${sent}, ${what} in object meta: ${live}`;
  const error = `StorageError: invalid object, Code: 4, Key: ${storageKey}, ResourceVersion: 0`;
  return conflict(gr, name, `${error}, AdditionalErrorMsg: ${detail}`);
}

/** A list at a compacted revision. */
export function listTooOld(): StatusError {
  return expired("The resourceVersion for the provided list is too old.");
}

/** A page at a compacted revision; `token` continues at the latest one. */
export function continueTooOld(token: string): StatusError {
  return expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
      "without the continue parameter, or use the continue token in this response to retrieve the remainder of " +
      "the results. Continuing with the provided token results in an inconsistent list - objects that were " +
      "created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    token,
  );
}

/** A revision that the server did not reach in time. `wanted` is the text that the client sent. */
export function tooLargeResourceVersion(wanted: string, current: number): StatusError {
  return tooLarge(wanted, current, 1);
}

/** The same for a get, which reads the object first and compares afterwards. */
export function tooLargeForStorage(wanted: string, current: number): StatusError {
  return tooLarge(wanted, current, 0);
}

function tooLarge(wanted: string, current: number, retryAfterSeconds: number): StatusError {
  const message = `Too large resource version: ${BigInt(wanted)}, current: ${current}`;
  return timeout(message, retryAfterSeconds, [
    { reason: "ResourceVersionTooLarge", message: "Too large resource version" },
  ]);
}

/** The same for a list from storage, which does not wait and answers with etcd's message. */
export function futureRevision(): StatusError {
  return plainError(500, "etcdserver: mvcc: required revision is a future revision");
}

/** A resourceVersion that is not a number, in a read from storage. */
export function invalidResourceVersion(text: string): StatusError {
  return badRequest(`invalid resource version: ${unparsableResourceVersion(text)}`);
}

/** The same in a read from the watch cache, whose error upstream does not wrap. */
export function rawInvalidResourceVersion(text: string): StatusError {
  return plainError(500, unparsableResourceVersion(text));
}

function unparsableResourceVersion(text: string): string {
  const quoted = goQuote(text);
  const problem = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${problem}`;
}
