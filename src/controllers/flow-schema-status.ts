import type { Clock } from "../apimachinery/clock.ts";
import { listAt, textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Controller, ControllerClient } from "./contract/controller.ts";

const group = "flowcontrol.apiserver.k8s.io";
const type = "Dangling";

const fieldManager = "api-priority-and-fairness-config-consumer-v1";

interface FlowEnvironment {
  readonly lister: Lister;
  readonly serverClient: Pick<ControllerClient, "apply">;
  readonly served: ServedApi;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Says in the status of each FlowSchema whether its priority level exists, whichever object has changed. Upstream: apiserver,
 * pkg/util/flowcontrol/apf_controller.go.
 */
export function writeFlowSchemaStatuses(environment: FlowEnvironment): Controller["reconcile"] {
  const { lister, serverClient, served, clock } = environment;
  return async () => {
    const preferred = served.current.groupVersions().find((gv) => gv.group === group);
    if (preferred === undefined) return;
    const apiVersion = formatGroupVersion(preferred);
    const levels = lister.list({ group, resource: "prioritylevelconfigurations" }, "");
    const names = new Set(levels.map(({ metadata }) => metadata.name));
    for (const schema of lister.list({ group, resource: "flowschemas" }, "")) {
      const level = textAt(schema, "spec", "priorityLevelConfiguration", "name");
      const wanted = danglingCondition(level, names.has(level));
      if (hasCondition(schema, wanted)) continue;
      const status = { conditions: [{ ...wanted, lastTransitionTime: formatTime(clock.now()) }] };
      const applied = {
        apiVersion,
        kind: "FlowSchema",
        metadata: { name: schema.metadata.name ?? "" },
        status,
      };
      await serverClient.apply(applied, { subresource: "status", fieldManager, force: true });
    }
  };
}

function danglingCondition(level: string, exists: boolean): JsonObject {
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
  return exists
    ? { type, status: "False", reason: "Found", message: `${subject} and it exists` }
    : { type, status: "True", reason: "NotFound", message: `${subject} but there is no such object` };
}

function hasCondition(schema: KubeObject, wanted: JsonObject): boolean {
  const condition = listAt(schema, "status", "conditions").find((found) => found["type"] === type);
  return Object.entries(wanted).every(([field, value]) => condition?.[field] === value);
}
