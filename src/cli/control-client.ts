import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { textAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import type { ControlTarget } from "./control-target.ts";

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/**
 * Sends a request to the control API of a server; the path is below `/kubedouble/v1/`.
 * @throws {Error} with the message of the server, or if it cannot be reached or has no control API
 */
export async function controlRequest(
  target: ControlTarget,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const { status, body: answer } = await send(target, method, path, body);
  if (status < 300) return answer;
  // The Status of the cluster itself: the path does not exist for this token.
  if (status === 401 || status === 403 || answer["kind"] === "Status" || Object.keys(answer).length === 0) {
    throw new Error(`${target.url} has no control API for this token`);
  }
  throw new Error(textAt(answer, "message"));
}

function send(
  { url, token, authority }: ControlTarget,
  method: string,
  path: string,
  body: JsonObject | undefined,
): Promise<Answer> {
  const start = url.startsWith("https:") ? httpsRequest : httpRequest;
  const options = {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(authority !== undefined && { ca: authority }),
  };
  return new Promise((resolve, reject) => {
    const request = start(`${url.replace(/\/$/, "")}/kubedouble/v1/${path}`, options, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: objectIn(Buffer.concat(pieces).toString("utf8")) }),
      );
    });
    request.on("error", (error) => reject(new Error(`cannot reach ${url}: ${error.message}`)));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The object of JSON; empty for anything else. */
function objectIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
