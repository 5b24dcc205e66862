import { textAt } from "../../apimachinery/fields.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { sha512Hex } from "../../apimachinery/sha.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { serveV2, serveV3File, serveV3Index, v3Url } from "../nonresource/openapi.ts";
import { OpenApiFile, v2Protobuf, v3Protobuf } from "../nonresource/openapi-files.ts";
import { convertedSwagger } from "./converted-swagger.ts";
import { filteredSwagger, mergedSwagger } from "./merged-swagger.ts";
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
  if (remote === undefined) return undefined;
  return answerV3(apis, remote, context, environment, answerRemote);
}

function remotes(apis: RemoteApis): readonly RemoteVersion[] {
  return apis.versions.filter(isRemote);
}

/** The path of a version in the index: `apis/metrics.k8s.io/v1beta1`. */
function pathOf(version: RemoteVersion): string {
  return `${version.group === "" ? "api" : "apis"}/${formatGroupVersion(version)}`;
}

/** What every server that answers has. */
async function ofServers<T>(
  apis: RemoteApis,
  ask: (version: RemoteVersion) => Promise<T | undefined>,
): Promise<readonly (readonly [version: RemoteVersion, found: T])[]> {
  const available = remotes(apis).filter(({ isAvailable }) => isAvailable);
  const found = await Promise.all(available.map((version) => ask(version).catch(() => undefined)));
  return available.flatMap((version, index) => {
    const one = found[index];
    return one === undefined ? [] : [[version, one] as const];
  });
}

async function answerV3Index(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const others: { [path: string]: JsonValue } = {};
  for (const [version, url] of await ofServers(apis, (version) => urlOf(apis, version))) {
    if (url !== "") others[pathOf(version)] = { serverRelativeURL: url };
  }
  return serveV3Index(context, environment, others);
}

/** The URL of the document of a version, which its server names, or which is converted here. */
async function urlOf(apis: RemoteApis, version: RemoteVersion): Promise<string | undefined> {
  const path = pathOf(version);
  const { status, document } = await apis.document(version, "/openapi/v3", reader);
  if (document !== undefined) return textAt(document, "paths", path, "serverRelativeURL");
  const file = status === 404 ? await convertedFile(apis, version) : undefined;
  return file && v3Url(path, file);
}

/**
 * The document of a version. A server that knows only OpenAPI 2 has its document converted. Upstream: kube-aggregator,
 * pkg/controllers/openapiv3/aggregator/aggregator.go.
 */
async function answerV3(
  apis: RemoteApis,
  version: RemoteVersion,
  context: RequestContext,
  environment: EndpointEnvironment,
  answerRemote: AnswerRemote,
): Promise<EndpointResponse> {
  const index = await apis.document(version, "/openapi/v3", reader).catch(() => undefined);
  const file = index?.status === 404 ? await convertedFile(apis, version) : undefined;
  if (file === undefined) return answerRemote(apis, version, context, environment);
  return serveV3File(pathOf(version), file, context, environment);
}

async function convertedFile(apis: RemoteApis, version: RemoteVersion): Promise<OpenApiFile | undefined> {
  const { document } = await apis.document(version, "/openapi/v2", reader);
  if (document === undefined) return undefined;
  const converted = convertedSwagger(document);
  return new OpenApiFile(sha512Hex(encodeJson(converted)), () => converted, v3Protobuf);
}

async function answerV2(
  apis: RemoteApis,
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  const found = await ofServers(
    apis,
    async (version) => (await apis.document(version, "/openapi/v2", reader)).document,
  );
  if (found.length === 0) return serveV2(context, environment);
  return serveV2(context, environment, (own) => {
    const merged = found.reduce(
      (all, [version, document]) => mergedSwagger(all, filteredSwagger(document, `/${pathOf(version)}/`)),
      own.document(),
    );
    return new OpenApiFile(sha512Hex(encodeJson(merged)), () => merged, v2Protobuf);
  });
}
