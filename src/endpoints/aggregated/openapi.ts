import { objectAt, textAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveV2, serveV3Index } from "../nonresource/openapi.ts";
import { OpenApiFile, v2Protobuf } from "../nonresource/openapi-files.ts";
import { isRemote, type RemoteVersion } from "./registered-version.ts";
import type { RemoteApis } from "./remote-apis.ts";

/** Whom this server is when it reads the documents of others. */
const reader: UserInfo = { name: "system:aggregator", uid: "", groups: [], extra: {} };

type AnswerRemote = (
  apis: RemoteApis,
  remote: RemoteVersion,
  context: RequestContext,
  environment: EndpointEnvironment,
) => Promise<EndpointResponse>;

/** Answers `/openapi/v2` and `/openapi/v3` with the documents of other servers; undefined for what concerns this server alone. */
export function answerOpenApi(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
  answerRemote: AnswerRemote,
): Promise<EndpointResponse> | undefined {
  const { path } = context;
  if (path === "/openapi/v2") return answerV2(apis, context, environment);
  if (path === "/openapi/v3" || path === "/openapi/v3/") return answerV3Index(apis, context, environment);
  const remote = remotes(apis).find((version) => path === `/openapi/v3/${pathOf(version)}`);
  return remote && answerRemote(apis, remote, context, environment);
}

function remotes(apis: RemoteApis): readonly RemoteVersion[] {
  return apis.versions.filter(isRemote);
}

/** The path of a version in the index: `apis/metrics.k8s.io/v1beta1`. */
function pathOf(version: RemoteVersion): string {
  return `${version.group === "" ? "api" : "apis"}/${formatGroupVersion(version)}`;
}

/** A document of every server that answers; a server that has none is left out. */
async function documents(
  apis: RemoteApis,
  path: string,
): Promise<readonly (readonly [version: RemoteVersion, document: JsonObject])[]> {
  const available = remotes(apis).filter(({ isAvailable }) => isAvailable);
  const found = await Promise.all(
    available.map((version) => apis.document(version, path, reader).catch(() => undefined)),
  );
  return available.flatMap((version, index) => {
    const document = found[index];
    return document === undefined ? [] : [[version, document] as const];
  });
}

async function answerV3Index(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const others: { [path: string]: JsonValue } = {};
  for (const [version, document] of await documents(apis, "/openapi/v3")) {
    const path = pathOf(version);
    const url = textAt(document, "paths", path, "serverRelativeURL");
    if (url !== "") others[path] = { serverRelativeURL: url };
  }
  return serveV3Index(context, environment, others);
}

async function answerV2(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const found = await documents(apis, "/openapi/v2");
  if (found.length === 0) return serveV2(context, environment);
  return serveV2(context, environment, (own) => {
    const merged = found.reduce(
      (all, [version, document]) => withPaths(all, version, document),
      own.document(),
    );
    return new OpenApiFile(sha512Hex(encodeJson(merged)), () => merged, v2Protobuf);
  });
}

/** A Swagger document with the paths of a version of another server, and the definitions that only that server has. */
function withPaths(own: JsonObject, version: RemoteVersion, other: JsonObject): JsonObject {
  const prefix = `/${pathOf(version)}/`;
  const paths = Object.entries(objectAt(other, "paths") ?? {}).filter(([path]) => path.startsWith(prefix));
  const definitions = Object.entries(objectAt(other, "definitions") ?? {}).filter(([, one]) =>
    isJsonObject(one),
  );
  return {
    ...own,
    paths: { ...objectAt(own, "paths"), ...Object.fromEntries(paths) },
    definitions: { ...Object.fromEntries(definitions), ...objectAt(own, "definitions") },
  };
}
