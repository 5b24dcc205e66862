import { StatusError } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { StartError } from "../contract/start-error.ts";
import type { Manifest } from "./manifest.ts";

/** The error of a manifest with the place where the manifest stands, and its kind and name if the message has no name. */
export function locatedError(error: unknown, { source, object }: Manifest): Error {
  const text = messageOf(error);
  const { kind, metadata } = object;
  const name = String((metadata as { readonly name?: unknown } | undefined)?.name ?? "");
  const message = text.includes(`"${name}"`) ? `${source}: ${text}` : `${source}: ${kind} "${name}": ${text}`;
  return error instanceof StatusError
    ? new StatusError({ ...error.status, message })
    : new Error(message, { cause: error });
}

/** The initial objects of a cluster cannot be loaded, so it answers no request. */
export class InitialObjectsError extends StartError {
  override readonly name = "InitialObjectsError";
}
