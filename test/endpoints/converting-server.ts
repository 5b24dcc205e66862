import { admissionChain } from "../../src/admission/admission-chain.ts";
import type { AdmissionAttributes } from "../../src/admission/contract/admission.ts";
import { AdmissionMetrics } from "../../src/admission/contract/admission-metrics.ts";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { internalError, StatusError } from "../../src/apimachinery/errors/errors.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../src/apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import { AuthenticationMetrics } from "../../src/authentication/contract/authentication-metrics.ts";
import { AuthorizationMetrics } from "../../src/authorization/contract/authorization-metrics.ts";
import { completeOptions } from "../../src/cluster/options.ts";
import { formatsOf } from "../../src/codec/media-types/formats.ts";
import type { EndpointEnvironment } from "../../src/endpoints/contract/environment.ts";
import { FieldManagers } from "../../src/endpoints/contract/field-managers.ts";
import { FlowMetrics } from "../../src/endpoints/contract/flow-metrics.ts";
import { ResourceScopes } from "../../src/endpoints/contract/resource-scopes.ts";
import { ServerMetrics } from "../../src/endpoints/contract/server-metrics.ts";
import { WorkQueueMetrics } from "../../src/endpoints/contract/work-queue-metrics.ts";
import { dispatch, respondError } from "../../src/endpoints/dispatch.ts";
import { builtInKinds } from "../../src/kinds/kinds.ts";
import type { KindDefinition } from "../../src/registry/contract/kind-definition.ts";
import type { BatchConversion } from "../../src/registry/contract/own-conversion.ts";
import { labelsOf } from "../../src/registry/contract/selection-predicate.ts";
import { stampRevision } from "../../src/registry/contract/system-fields.ts";
import { Kinds } from "../../src/registry/kinds.ts";
import { ResourceRegistry } from "../../src/registry/resource-registry.ts";
import type { ApiResponse } from "../../src/request/handler.ts";
import { inProcessPeer } from "../../src/request/peer.ts";
import { parseRequestInfo } from "../../src/request/request-info.ts";
import { HealthControl } from "../../src/scenario/health-control.ts";
import { WatchDeliveries } from "../../src/scenario/watch-deliveries.ts";
import { ApiView } from "../../src/served/api-view.ts";
import { ServedApi } from "../../src/served/served-api.ts";
import { Store } from "../../src/store/store.ts";
import { registryAccess } from "../registry/registry-access.ts";

/** The release stores CronJobs in batch/v1 and serves batch/v1beta1, too. */
const release = "1.24";

/** The same schedule as it is stored, in batch/v1, and as batch/v1beta1 shows it. */
export const schedules = { stored: "@daily", shown: "0 0 * * *" } as const;

/** What a test sees of a response. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/**
 * The endpoints of a server that converts CronJobs by something that takes time, as a webhook does: batch/v1beta1 writes
 * the schedule in another way than batch/v1, which is stored.
 */
export class ConvertingServer {
  /** Every call of the conversion: the version it was asked for, and the names of the objects. */
  readonly batches: string[] = [];
  /** Every schedule that a phase of admission saw: `CREATE mutating 0 0 * * *`. */
  readonly admitted: string[] = [];
  /** While it is true, conversions to this version fail. */
  failing: "v1" | "v1beta1" | undefined;
  readonly store: Store<KubeObject>;
  readonly #environment: EndpointEnvironment;

  constructor() {
    const config = completeOptions({ release, seed: 1 });
    const { catalog, clock, featureGates: gates, identifiers } = config;
    const { historyMilliseconds, historyBytes, watchCapacity } = config;
    this.store = new Store({
      clock,
      historyMilliseconds,
      historyBytes,
      watchCapacity,
      stamp: stampRevision,
      labelsOf,
    });
    const definitions = builtInKinds.map((kind) => this.#converting(kind));
    const served = new ServedApi(ApiView.ofRelease(catalog, definitions), this.store, []);
    const kinds = new Kinds(served);
    const access = registryAccess(clock);
    const registry = new ResourceRegistry({ ...config, ...access, gates, served, store: this.store }, kinds);
    const scopes = new ResourceScopes(served, registry, kinds, gates);
    this.#environment = {
      catalog,
      served,
      aggregation: { aggregator: undefined },
      openapiDescriptions: undefined,
      kinds,
      scopes,
      admission: this.#admission(),
      authorize: registry.authorization.authorize,
      fieldManagers: new FieldManagers(served, scopes, clock, gates),
      formats: formatsOf(gates),
      authentication: config.authentication,
      livezGraceMilliseconds: 0,
      gates,
      store: this.store,
      clock,
      advertiseAddress: () => "127.0.0.1:6443",
      startedAt: clock.now(),
      debugging: { profiling: true, logsHandler: false, flags: () => new Map() },
      random: identifiers.fraction,
      metrics: new ServerMetrics(gates.since),
      inFlight: { limit: 600, takePeaks: () => ({ readOnly: 0, mutating: 0 }) },
      flows: new FlowMetrics(),
      metricsOptions: config.metrics,
      authenticationMetrics: new AuthenticationMetrics(),
      configurationReloads: () => undefined,
      authorizationMetrics: new AuthorizationMetrics(),
      admissionMetrics: new AdmissionMetrics(new VirtualClock(0)),
      conversionMetrics: access.conversionMetrics,
      expressionMetrics: access.expressionMetrics,
      repeatedErrors: access.repeatedErrors,
      workQueueMetrics: new WorkQueueMetrics(clock),
      interventions: {
        watches: new WatchDeliveries(),
        deleteReturns: undefined,
        health: new HealthControl(() => []),
      },
      closing: new AbortController().signal,
    };
  }

  /** Sends a request, and reads the JSON of the response. */
  async send(method: string, path: string, body?: JsonValue, contentType?: string): Promise<Answer> {
    const response = await this.respond(method, path, body, contentType);
    if (!Array.isArray(response.body)) throw new Error("a response that is no watch comes in pieces");
    return { code: response.status, body: JSON.parse(Buffer.concat(response.body).toString()) };
  }

  /** Sends a request; the response of a watch has a stream. */
  async respond(
    method: string,
    target: string,
    body?: JsonValue,
    contentType = "application/json",
    accept = "application/json",
  ): Promise<Pick<ApiResponse, "status" | "body">> {
    const [path = "", query = ""] = target.split("?");
    const headers = new Map([
      ["accept", accept],
      ["content-type", contentType],
    ]);
    const request = {
      method,
      target,
      headers: {
        get: (name: string) => headers.get(name.toLowerCase()),
        getAll: (name: string) => [headers.get(name.toLowerCase()) ?? []].flat(),
        startingWith: () => [],
      },
      body: async () => new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
      signal: new AbortController().signal,
    };
    const parameters = new URLSearchParams(query);
    const context = {
      request,
      peer: inProcessPeer,
      info: parseRequestInfo(method, path, parameters),
      path,
      query: parameters,
      user: { name: "tester", uid: "", groups: [], extra: {} },
      now: this.#environment.clock.now(),
      warn: () => {},
      observe: () => {},
      notes: undefined,
    };
    try {
      return await dispatch(context, this.#environment);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return respondError(error, context, this.#environment);
    }
  }

  #converting(kind: KindDefinition): KindDefinition {
    if (kind.resource !== "cronjobs") return kind;
    const conversion: BatchConversion = { convert: (objects, to) => this.#convert(objects, to) };
    return {
      ...kind,
      rules: async () => {
        const rules = await kind.rules?.();
        const { versions = {} } = rules ?? {};
        const beta = { ...versions["batch/v1beta1"], conversions: { "batch/v1": conversion } };
        return { ...rules, versions: { ...versions, "batch/v1beta1": beta } };
      },
    };
  }

  async #convert(objects: readonly KubeObject[], to: GroupVersionKind): Promise<readonly KubeObject[]> {
    this.batches.push(`${to.version}: ${objects.map(({ metadata }) => metadata.name ?? "").join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve));
    if (this.failing === to.version) throw internalError("conversion webhook failed");
    return objects.map((object) => withSchedule(object, to));
  }

  #admission() {
    const note = (phase: string) => (attributes: AdmissionAttributes) => {
      const { operation, object, oldObject } = attributes;
      const seen = [object, oldObject].flatMap((each) => (each === undefined ? [] : scheduleOf(each)));
      this.admitted.push([operation, phase, ...seen].join(", "));
    };
    const plugin = {
      name: "Notes",
      handles: () => true,
      admit: note("mutating"),
      validate: note("validating"),
    };
    return admissionChain([plugin], {
      clock: new VirtualClock(0),
      metrics: new AdmissionMetrics(new VirtualClock(0)),
    });
  }
}

function withSchedule(object: KubeObject, to: GroupVersionKind): KubeObject {
  const { spec } = object;
  const schedule = scheduleOf(object);
  const [from, into] =
    to.version === "v1" ? [schedules.shown, schedules.stored] : [schedules.stored, schedules.shown];
  return {
    ...object,
    apiVersion: formatGroupVersion(to),
    ...(isJsonObject(spec) && { spec: { ...spec, schedule: schedule === from ? into : schedule } }),
  };
}

/** The schedule of a CronJob. */
export function scheduleOf({ spec }: JsonObject): string {
  return isJsonObject(spec) ? String(spec.schedule) : "";
}
