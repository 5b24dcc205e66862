import type { Clock } from "../../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, numberAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import {
  isRemote,
  type RemoteVersion,
  registeredVersion,
} from "../../endpoints/aggregated/registered-version.ts";
import type { RemoteApis } from "../../endpoints/aggregated/remote-apis.ts";
import { withCondition } from "../../kinds/apiextensions/custom-resource-definition/conditions.ts";
import { isAvailable } from "../../kinds/apiregistration/api-service/registration.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const apiServices = { group: "apiregistration.k8s.io", resource: "apiservices" };
const services = { group: "", resource: "services" };
const slices = { group: "discovery.k8s.io", resource: "endpointslices" };
const endpoints = { group: "", resource: "endpoints" };

/** How often every server is asked again, and the longest pause after a failure, in milliseconds. */
const resync = 30_000;
const firstPause = 5;

/** The condition Available of an APIService. */
interface Availability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** What the controller depends on. */
export interface AvailabilityEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly apis: RemoteApis;
  readonly clock: Clock;
  /** Whether endpoints are looked up in EndpointSlices; older releases read Endpoints. */
  readonly readsSlices: boolean;
  /** The queue of the controller in the release. */
  readonly queue: string;
  /** Counts an APIService that has become unavailable. */
  readonly becameUnavailable: (name: string, reason: string) => void;
}

/** Sets the condition Available of APIServices with a Service. Upstream: remote_available_controller.go. */
export function apiServiceAvailability(environment: AvailabilityEnvironment): Controller {
  const { lister, apis, clock, queue } = environment;
  const failures = new Map<string, number>();
  /** The resourceVersions of this controller's own updates, which need no check. */
  const written = new Map<string, string>();
  const naming = (namespace: string, service: string): readonly string[] =>
    apis.versions.flatMap(({ name, remote }) =>
      remote?.service.namespace === namespace && remote.service.name === service ? [name] : [],
    );
  const queues = ["APIServiceRegistrationController", queue];
  return {
    name: "remote-available-controller",
    queuesOf: () => queues,
    observe: ({ object }) => {
      const { kind, metadata } = object;
      const { name = "", namespace = "", labels } = metadata;
      if (kind === "APIService") return metadata.resourceVersion === written.get(name) ? [] : [name];
      if (kind === "Service" || kind === "Endpoints") return naming(namespace, name);
      if (kind === "EndpointSlice") return naming(namespace, labels?.["kubernetes.io/service-name"] ?? "");
      return [];
    },
    reconcile: async (name) => {
      const start = clock.now();
      const apiService = lister.get(apiServices, "", name);
      const version = apiService && registeredVersion(apiService);
      if (apiService === undefined || version === undefined || !isRemote(version)) {
        apis.forget(name);
        failures.delete(name);
        written.delete(name);
        return undefined;
      }
      const availability = await availabilityOf(version, environment);
      const resourceVersion = await updateStatus(apiService, availability, environment);
      if (resourceVersion !== undefined) written.set(name, resourceVersion);
      if (availability.status === "True") await apis.discover(version);
      else apis.forget(name);
      if (availability.reason !== "FailedDiscoveryCheck") failures.delete(name);
      else failures.set(name, (failures.get(name) ?? 0) + 1);
      // The pause begins when the server has answered, or has not.
      return clock.now() - start + pauseAfter(failures.get(name) ?? 0);
    },
  };
}

/** How long the controller waits before it asks again after this many failures in a row, in milliseconds. */
function pauseAfter(failed: number): number {
  return failed === 0 ? resync : Math.min(resync, firstPause * 2 ** failed);
}

/** Writes the condition, if it has changed. The result is the new resourceVersion; undefined if nothing was written. */
async function updateStatus(
  apiService: KubeObject,
  availability: Availability,
  { client, clock, becameUnavailable }: AvailabilityEnvironment,
): Promise<string | undefined> {
  const known = listAt(apiService, "status", "conditions");
  const conditions = withCondition(known, { type: "Available", ...availability }, clock.now());
  if (jsonEqual(known, conditions)) return undefined;
  try {
    const status = { ...structAt(apiService, "status"), conditions };
    const { metadata } = await client.update({ ...apiService, status }, { subresource: "status" });
    if (isAvailable(apiService) && availability.status !== "True") {
      becameUnavailable(apiService.metadata.name ?? "", availability.reason);
    }
    return metadata.resourceVersion;
  } catch (error) {
    // It has changed, so it will be looked at again.
    if (isConflict(error) || isNotFound(error)) return undefined;
    throw error;
  }
}

async function availabilityOf(
  version: RemoteVersion,
  environment: AvailabilityEnvironment,
): Promise<Availability> {
  const { apis } = environment;
  const problem = apis.hasTarget(version) ? undefined : serviceProblem(version, environment);
  if (problem !== undefined) return { status: "False", ...problem };
  const failure = await apis.check(version);
  if (failure !== undefined) return { status: "False", reason: "FailedDiscoveryCheck", message: failure };
  return { status: "True", reason: "Passed", message: "all checks passed" };
}

type Problem = Omit<Availability, "status">;

/** What is wrong with the Service of a version and its endpoints. */
function serviceProblem(
  { remote }: RemoteVersion,
  environment: AvailabilityEnvironment,
): Problem | undefined {
  const { namespace, name, port } = remote.service;
  const title = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = environment.lister.get(services, namespace, name);
  if (service === undefined) return { reason: "ServiceNotFound", message: `${title} is not present` };
  if (textAt(service, "spec", "type") !== "ClusterIP") return undefined;
  const found = listAt(service, "spec", "ports").find((one) => numberAt(one, "port") === port);
  if (found === undefined) {
    return { reason: "ServicePortError", message: `${title} is not listening on port ${port}` };
  }
  const { readsSlices, lister } = environment;
  const portName = textAt(found, "name");
  const known = readsSlices
    ? lister.list(slices, namespace).filter((slice) => serviceOf(slice) === name)
    : [lister.get(endpoints, namespace, name)].filter((one) => one !== undefined);
  const what = readsSlices ? "endpointslices" : "endpoints";
  if (known.length === 0) return { reason: "EndpointsNotFound", message: `cannot find ${what} for ${title}` };
  const isReady = readsSlices ? hasReadyEndpoint(known, portName) : hasReadyAddress(known, portName);
  if (isReady) return undefined;
  const message = `${what} for ${title} have no addresses with port name ${JSON.stringify(portName)}`;
  return { reason: "MissingEndpoints", message };
}

function serviceOf(slice: KubeObject): string {
  return textAt(slice, "metadata", "labels", "kubernetes.io/service-name");
}

function hasReadyEndpoint(all: readonly KubeObject[], portName: string): boolean {
  return all.some(
    (slice) =>
      listAt(slice, "endpoints").some((one) => structAt(one, "conditions")["ready"] !== false) &&
      listAt(slice, "ports").some((port) => isPort(port, portName) && port["port"] !== undefined),
  );
}

function hasReadyAddress(all: readonly KubeObject[], portName: string): boolean {
  return all.some((one) =>
    listAt(one, "subsets").some(
      (subset) =>
        listAt(subset, "addresses").length > 0 &&
        listAt(subset, "ports").some((port) => isPort(port, portName)),
    ),
  );
}

function isPort(port: JsonObject, name: string): boolean {
  return textAt(port, "name") === name;
}
