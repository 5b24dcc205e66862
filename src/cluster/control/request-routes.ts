import type { JsonObject } from "../../apimachinery/json.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import type { LoggedRequest } from "../../scenario/logged-request.ts";
import type { RequestScope } from "../../scenario/request-matcher.ts";
import type { ControlRoute } from "./control-route.ts";
import { requestList } from "./control-schemas.ts";
import type { ControlContext } from "./controlled-cluster.ts";
import type { Properties } from "./value-schema.ts";

const lists = ["verb", "resource"] as const;
const texts = ["group", "subresource", "namespace", "name", "path", "user", "userAgent"] as const;

const filters: Properties = {
  verb: { type: "array", items: { type: "string" }, description: "One of these RBAC verbs." },
  resource: { type: "array", items: { type: "string" }, description: "One of these resources." },
  group: { type: "string", description: "Empty for the core group." },
  subresource: { type: "string", description: "Empty for requests of the object itself." },
  namespace: { type: "string" },
  name: { type: "string" },
  path: { type: "string" },
  user: { type: "string" },
  userAgent: { type: "string", description: "Part of the header." },
};

/** Lists and clears the log of requests. */
export function requestRoutes<Snapshot>({ cluster }: ControlContext<Snapshot>): readonly ControlRoute[] {
  return [
    {
      method: "GET",
      path: "requests",
      operation: "listRequests",
      summary:
        "Lists the requests of clients, oldest first: at least the newest thousand. The parameters select among them.",
      query: filters,
      success: { status: 200, schema: requestList },
      run: ({ query }) => ({ requests: cluster.log.matching(scopeOfQuery(query)).map(requestJson) }),
    },
    {
      method: "DELETE",
      path: "requests",
      operation: "clearRequests",
      summary: "Clears the log of requests.",
      success: { status: 204 },
      run: () => {
        cluster.log.clear();
        return undefined;
      },
    },
  ];
}

function scopeOfQuery(query: QueryParameters): RequestScope {
  const values: [string, string | readonly string[]][] = [];
  for (const name of lists) if (query.has(name)) values.push([name, query.getAll(name)]);
  for (const name of texts) {
    const value = query.get(name);
    if (value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

function requestJson(request: LoggedRequest): JsonObject {
  const { method, target, path, verb, group, version, resource, subresource, namespace, name } = request;
  const { user, remoteAddress, userAgent, auditId, receivedAt, status, milliseconds, endedAt } = request;
  const { fault, refusal } = request;
  return {
    receivedAt: formatMicroTime(receivedAt),
    method,
    target,
    path,
    verb,
    ...(resource !== "" && { group, version, resource, subresource, namespace, name }),
    user,
    remoteAddress,
    userAgent,
    auditId,
    ...(status !== undefined && { status }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(endedAt !== undefined && { endedAt: formatMicroTime(endedAt) }),
    ...(fault !== undefined && { fault }),
    ...(refusal?.message !== undefined && { message: refusal.message }),
  };
}
