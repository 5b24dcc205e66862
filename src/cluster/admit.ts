import { type TracedObject, tracedChain } from "../admission/traced-chain.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, type OptionTypes } from "../apimachinery/option-checks.ts";
import { oneOf, text } from "../apimachinery/option-types.ts";
import type { Status } from "../apimachinery/status.ts";
import { toJson } from "../apimachinery/to-json.ts";
import { clusterAdmin } from "../apimachinery/user-info.ts";
import { type Compare, loadCompare } from "../patch/json-differences.ts";
import type { Handler } from "../request/handler.ts";
import { RequestLog } from "../scenario/request-log.ts";
import type { AdmissionReport, AdmitOptions } from "./admission-report.ts";
import { reportText } from "./admission-report-text.ts";
import { kubeObjectOf, type Sending, sendingOf } from "./admit-sending.ts";
import { ClusterClient } from "./client.ts";
import { explainedUser } from "./explained-access.ts";
import { expandLists } from "./seeding/manifest.ts";
import type { Server } from "./server.ts";
import { warningTexts } from "./warning-texts.ts";

const admitOptionTypes: OptionTypes = {
  operation: oneOf("CREATE", "UPDATE", "DELETE"),
  namespace: text,
  subresource: text,
  user: {
    accepts: 'a user, such as "alice" or { name: "alice", groups: ["dev"] }',
    isValid: (value) => text.isValid(value) || (typeof value === "object" && value !== null),
  },
};

/**
 * Sends an object as a dry run, and reports what admission does with it.
 * @throws {TypeError} for options of the wrong form
 * @throws {Error} for what is not one manifest, and for a kind or a subresource that the cluster does not serve
 */
export async function admit(
  object: object,
  options: AdmitOptions,
  server: Server,
  admin: ClusterClient,
): Promise<AdmissionReport> {
  checkOptions("admit", options, admitOptionTypes);
  const user = options.user === undefined ? clusterAdmin : explainedUser("admit", options.user);
  const [manifest, ...others] = expandLists(toJson(object), "admit");
  if (manifest === undefined || others.length > 0) throw new Error("admit takes one object, not a list");
  const sending = await sendingOf(kubeObjectOf(manifest.object), options, server.resourceOf, admin);
  const compare = await loadCompare();
  const traced: TracedObject = { before: undefined, after: undefined };
  const log = new RequestLog(1);
  const handler = server.loggedHandler({
    log,
    user,
    chainOf: (usual, measures) => tracedChain(usual, measures, compare, traced),
  });
  return reportOf(log, sending, traced, compare, await answerOf(handler, server, sending));
}

/** What the client gets. */
interface Answer {
  readonly refusal: Status | undefined;
  readonly object: KubeObject | undefined;
  readonly warnings: readonly string[];
}

async function answerOf(handler: Handler, { resourceOf }: Server, sending: Sending): Promise<Answer> {
  let warnings: readonly string[] = [];
  const noting: Handler = async (request, peer) => {
    const answer = await handler(request, peer);
    warnings = warningTexts(answer.headers);
    return answer;
  };
  // The handler knows the user.
  const client = new ClusterClient(noting, "", resourceOf);
  try {
    const object = await sent(client, sending);
    return { refusal: undefined, object, warnings };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { refusal: error.status, object: undefined, warnings };
  }
}

async function sent(
  client: ClusterClient,
  { operation, manifest, where }: Sending,
): Promise<KubeObject | undefined> {
  const options = { ...where, dryRun: true };
  if (operation === "CREATE") return client.create(manifest, options);
  if (operation === "UPDATE") return client.update(manifest, options);
  const { apiVersion, kind, metadata } = manifest;
  await client.delete(apiVersion, kind, metadata.name ?? "", options);
  return undefined;
}

function reportOf(
  log: RequestLog,
  { operation, manifest }: Sending,
  { before, after }: TracedObject,
  compare: Compare,
  { refusal, object, warnings }: Answer,
): AdmissionReport {
  const [entry] = log.all;
  if (entry === undefined) throw new Error("admit has sent no request");
  const { group, version, resource, subresource, namespace, user } = entry;
  const steps = entry.admission ?? [];
  const report = {
    admitted: refusal === undefined,
    request: {
      operation,
      group,
      version,
      resource,
      subresource,
      namespace,
      name: entry.name || (manifest.metadata.name ?? ""),
      user,
    },
    refusal,
    deniedBy: refusal && steps.find(({ outcome }) => outcome === "denied" || outcome === "failed"),
    steps,
    object,
    changes: before === undefined || after === undefined ? [] : compare(before, after),
    warnings,
    auditAnnotations: entry.annotations ?? {},
  };
  return { ...report, text: reportText({ ...report, before }) };
}
