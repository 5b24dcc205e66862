import type { Clock } from "../apimachinery/clock.ts";
import { isConflict, isNotFound } from "../apimachinery/errors/error-predicates.ts";
import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const migrations = { group: "storagemigration.k8s.io", resource: "storageversionmigrations" };
const fieldManager = "storage-version-migrator-controller";

/** The conditions of a migration, and their reasons. */
const reasons = {
  Running: "StorageVersionMigrationInProgress",
  Succeeded: "StorageVersionMigrationSucceeded",
  Failed: "StorageVersionMigrationFailed",
} as const;

type ConditionType = keyof typeof reasons;

/** What the controller works with. */
export interface MigrationEnvironment {
  readonly lister: Lister;
  readonly client: ControllerClient;
  readonly served: ServedApi;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Carries out a StorageVersionMigration: writes every object of its resource without a change, so that the server stores it in
 * its storage version. Upstream: pkg/controller/storageversionmigrator.
 */
export function migrateStorageVersions({
  lister,
  client,
  served,
  clock,
}: MigrationEnvironment): Controller["reconcile"] {
  return async (name) => {
    const found = lister.get(migrations, "", name);
    if (found === undefined || isOver(found)) return;
    const write = (migration: KubeObject, status: JsonObject): Promise<KubeObject> =>
      client.update({ ...migration, status }, { subresource: "status" });
    const end = async (migration: KubeObject, type: ConditionType, message: string): Promise<void> => {
      await write(migration, withCondition(migration, type, message, clock));
    };
    const resource = resourceOf(found, served);
    if (resource === undefined) return end(found, "Failed", "resource does not exist in discovery");
    const { resourceVersion = "" } = found.metadata;
    const noted =
      textAt(found, "status", "resourceVersion") === ""
        ? await write(found, { ...structAt(found, "status"), resourceVersion })
        : found;
    const running = await write(noted, withCondition(noted, "Running", "", clock));
    for (const object of lister.list(resource, "")) {
      if (await isWritten(object, resource, client)) continue;
      return end(running, "Failed", "migration encountered unhandled error");
    }
    await end(running, "Succeeded", "");
  };
}

function isOver(migration: KubeObject): boolean {
  return listAt(migration, "status", "conditions").some(
    ({ type, status }) => (type === "Succeeded" || type === "Failed") && status === "True",
  );
}

/** The first version names a version of the resource; later ones mean the preferred one. */
function resourceOf(migration: KubeObject, { current }: ServedApi): ApiResource | undefined {
  const [group, version, resource] = ["group", "version", "resource"].map((part) =>
    textAt(migration, "spec", "resource", part),
  );
  if (group === undefined || resource === undefined) return undefined;
  const versions = version
    ? [{ group, version }]
    : current.groupVersions().filter((gv) => gv.group === group);
  return versions.flatMap((gv) => current.resource({ ...gv, resource }) ?? []).at(0);
}

/**
 * Applies nothing to an object. With its uid and its revision, one that has been deleted or written meanwhile is a conflict:
 * it needs no migration.
 */
async function isWritten(
  { metadata: { name, namespace, uid, resourceVersion } }: KubeObject,
  { kind, ...gv }: ApiResource,
  client: ControllerClient,
): Promise<boolean> {
  const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion };
  const object = { apiVersion: formatGroupVersion(gv), kind, metadata };
  try {
    await client.apply(object as JsonObject, { fieldManager, force: true });
    return true;
  } catch (error) {
    return isConflict(error) || isNotFound(error);
  }
}

/** The status with one more condition. The condition Running ends with the migration. */
function withCondition(
  migration: KubeObject,
  type: ConditionType,
  message: string,
  clock: Pick<Clock, "now">,
): JsonObject {
  const status = structAt(migration, "status");
  const now = formatTime(clock.now());
  const isAlpha = migration.apiVersion === "storagemigration.k8s.io/v1alpha1";
  const before = listAt(status, "conditions").map((condition) =>
    condition["type"] === "Running" && type !== "Running" ? { ...condition, status: "False" } : condition,
  );
  if (before.some((condition) => condition["type"] === type)) return { ...status, conditions: before };
  const condition = {
    type,
    status: "True",
    [isAlpha ? "lastUpdateTime" : "lastTransitionTime"]: now,
    reason: reasons[type],
    ...((message !== "" || !isAlpha) && { message }),
  };
  return { ...status, conditions: [...before, condition] };
}
