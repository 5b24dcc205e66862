import { internalError } from "../apimachinery/errors/errors.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";

/** How a process ended: with the exit code of a command and how its server says that, or with an error of the runtime. */
export type ProcessEnd =
  | { readonly type: "exited"; readonly code: number; readonly error: string }
  | { readonly type: "failed"; readonly message: string };

/** The Status of a process for protocols since version 4 (kubelet, pkg/cri/streaming/remotecommand/exec.go). */
export function processStatus(end: ProcessEnd): JsonObject {
  if (end.type === "failed") {
    const { kind: _kind, apiVersion: _apiVersion, ...status } = internalError(end.message).status;
    return status;
  }
  if (end.code === 0) return { metadata: {}, status: "Success" };
  const cause = { reason: "ExitCode", message: String(end.code) };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: ${end.error}`,
    reason: "NonZeroExitCode",
    details: { causes: [cause] },
  };
}

/** What is written about the end of a process: a Status since version 4, before that only what went wrong. */
export function statusText(end: ProcessEnd, form: "status" | "text"): string {
  if (form === "status") return encodeJson(processStatus(end));
  if (end.type === "exited" && end.code === 0) return "";
  return String(processStatus(end)["message"]);
}

/**
 * How a process ended in the words of kube-apiserver, which runs it over SPDY for a client of version 5. Upstream:
 * `StreamTranslatorHandler` (apiserver, pkg/util/proxy/streamtranslator.go).
 */
export function translatedEnd(end: ProcessEnd): ProcessEnd {
  if (end.type === "exited") return { ...end, error: `command terminated with exit code ${end.code}` };
  return { ...end, message: internalError(end.message).message };
}
