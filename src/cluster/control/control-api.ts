import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";
import { nearestName } from "../../apimachinery/nearest-name.ts";
import { parseJson } from "../../codec/json/json.ts";
import { type ApiRequest, type ApiResponse, BodyTooLargeError } from "../../request/handler.ts";
import { MalformedTargetError, parseTarget } from "../../request/request-target.ts";
import { ControlError, checked } from "./control-error.ts";
import type { ControlCall, ControlRoute } from "./control-route.ts";
import type { ControlContext } from "./controlled-cluster.ts";
import { FaultRoutes } from "./fault-routes.ts";
import { ForkRoutes } from "./fork-routes.ts";
import { openApiDocument, openApiPath } from "./openapi-document.ts";
import { releaseRoutes } from "./release-routes.ts";
import { requestRoutes } from "./request-routes.ts";
import { snapshotRoutes } from "./snapshot-routes.ts";
import { clockRoutes, stateRoutes } from "./state-routes.ts";
import { checkMembers, checkQuery } from "./value-schema.ts";

/** The path before those of the routes. */
const root = "/kubedouble/v1/";

const mostBytes = 1024 * 1024;

/** Answers the requests of an administrator to control a cluster. */
export class ControlApi<Snapshot> {
  readonly #routes: readonly ControlRoute[];
  readonly #forks: ForkRoutes<Snapshot>;

  constructor(context: ControlContext<Snapshot>) {
    const faults = new FaultRoutes(context);
    this.#forks = new ForkRoutes(context);
    const routes = [
      ...faults.routes,
      ...requestRoutes(context),
      ...clockRoutes(context),
      ...releaseRoutes(context),
      ...stateRoutes(context, () => faults.clear()),
      ...snapshotRoutes(context),
      ...this.#forks.routes,
    ];
    this.#routes = [...routes, openApiRoute(routes)];
  }

  async answer(request: ApiRequest): Promise<ApiResponse> {
    try {
      const { path, query } = parseTarget(request.target);
      const { route, id } = this.#find(request.method, path);
      checked(400, () => checkQuery(query, route.query ?? {}));
      const body = await bodyOf(request);
      checked(400, () => checkMembers(body, route.body ?? { properties: {} }));
      const call: ControlCall = { id, query, body };
      return jsonResponse(route.success.status, await route.run(call));
    } catch (error) {
      return errorResponse(error);
    }
  }

  /** Closes the forks. */
  close(): Promise<void> {
    return this.#forks.close();
  }

  /** @throws {ControlError} for an unknown path, and for a method that it does not have */
  #find(method: string, path: string): { readonly route: ControlRoute; readonly id: string } {
    const below = path.startsWith(root) ? path.slice(root.length) : undefined;
    const atPath = this.#routes.flatMap((route) => {
      const id = below === undefined ? undefined : idIn(below, route.path);
      return id === undefined ? [] : [{ route, id }];
    });
    const found = atPath.find(({ route }) => route.method === method);
    if (found !== undefined) return found;
    if (atPath.length === 0) throw this.#unknownPath(path);
    const methods = atPath.map(({ route }) => route.method).join(" and ");
    throw new ControlError(405, `${path} has no method ${method}, only ${methods}`);
  }

  #unknownPath(path: string): ControlError {
    const below = path.startsWith(root) ? path.slice(root.length) : path;
    const known = this.#routes.map((route) => route.path);
    const nearest = below === "" ? undefined : nearestName(below, known);
    const hint =
      nearest === undefined ? `GET ${root}${openApiPath} lists them` : `did you mean ${root}${nearest}?`;
    return new ControlError(404, `the control API has no path ${path}; ${hint}`);
  }
}

function openApiRoute(routes: readonly ControlRoute[]): ControlRoute {
  return {
    method: "GET",
    path: openApiPath,
    operation: "readOpenApi",
    summary: "Shows this document.",
    success: { status: 200, schema: { type: "object" } },
    run: () => openApiDocument(root, [...routes, openApiRoute(routes)]),
  };
}

/** What `{id}` stands for in a path, or the empty string in a path without it; undefined if the path is another one. */
function idIn(path: string, pattern: string): string | undefined {
  const [before = "", after] = pattern.split("{id}");
  if (after === undefined) return path === pattern ? "" : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return id === "" || id.includes("/") ? undefined : id;
}

async function bodyOf(request: ApiRequest): Promise<JsonObject> {
  if (request.method === "GET") return {};
  const bytes = await request.body(mostBytes);
  if (bytes.byteLength === 0) return {};
  const body = checked(400, () => parseJson(bytes));
  if (isJsonObject(body)) return body;
  throw new ControlError(400, "the body must be a JSON object");
}

function errorResponse(error: unknown): ApiResponse {
  const message = messageOf(error);
  return jsonResponse(statusOf(error), { message, status: statusOf(error) });
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError) return error.status;
  if (error instanceof BodyTooLargeError) return 413;
  return error instanceof MalformedTargetError ? 400 : 500;
}

function jsonResponse(status: number, value: JsonObject | undefined): ApiResponse {
  const noStore = ["Cache-Control", "no-store"] as const;
  if (value === undefined) return { status, headers: [noStore], body: undefined };
  const body = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  return { status, headers: [["Content-Type", "application/json"], noStore], body };
}
