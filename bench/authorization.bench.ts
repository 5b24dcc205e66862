import type { FollowingLister } from "../src/apimachinery/lister.ts";
import type { KubeObject } from "../src/apimachinery/object-meta.ts";
import type { AuthorizationAttributes } from "../src/authorization/contract/authorizer.ts";
import { resourceAttributes } from "../src/authorization/contract/resource-attributes.ts";
import { BoundRoles } from "../src/authorization/rbac/bound-roles.ts";
import { rbac } from "../src/authorization/rbac/rbac.ts";
import { createCluster } from "../src/index.ts";
import { type Benchmark, cpuRatio, milliseconds } from "./benchmark.ts";
import { InProcess } from "./in-process.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;
const roleCount = 500;
const rulesOfRole = 10;
const bindingCount = 1000;
const user = { name: "alice", uid: "", groups: ["dev", "ops", "system:authenticated"], extra: {} };

/** 500 ClusterRoles with 5,000 rules; only the last rule of the last role allows to read ConfigMaps. */
function roles(): readonly KubeObject[] {
  return Array.from({ length: roleCount }, (_, role) => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: { name: `role-${role}` },
    rules: Array.from({ length: rulesOfRole }, (_, rule) => ({
      verbs: ["get", "list", "watch"],
      apiGroups: [""],
      resources:
        role === roleCount - 1 && rule === rulesOfRole - 1 ? ["configmaps"] : [`things-${rule}`, "secrets"],
      resourceNames: role === roleCount - 1 ? [] : [`object-${rule}`],
    })),
  }));
}

/** 1,000 bindings, of which every fiftieth and the last apply to the user; half of them are RoleBindings. */
function bindings(): readonly KubeObject[] {
  return Array.from({ length: bindingCount }, (_, index) => {
    const isOfUser = index % 50 === 0 || index === bindingCount - 1;
    const isWide = index % 2 === 0;
    return {
      apiVersion,
      kind: isWide ? "ClusterRoleBinding" : "RoleBinding",
      metadata: { name: `binding-${index}`, ...(!isWide && { namespace: "default" }) },
      roleRef: { apiGroup, kind: "ClusterRole", name: `role-${index >> 1}` },
      subjects: [
        { apiGroup, kind: "Group", name: isOfUser ? "dev" : `group-${index % 100}` },
        { apiGroup, kind: "User", name: isOfUser ? "alice" : `user-${index}` },
      ],
    };
  });
}

/** Objects that do not change. */
function listerOf(objects: readonly KubeObject[]): FollowingLister {
  const resourceOf = ({ kind }: KubeObject) => `${String(kind).toLowerCase()}s`;
  const byKey = new Map(objects.map((object) => [`${resourceOf(object)}/${object.metadata.name}`, object]));
  return {
    get: ({ resource }, _namespace, name) => byKey.get(`${resource}/${name}`),
    list: ({ resource }) => objects.filter((object) => resourceOf(object) === resource),
    follow: (resources) => {
      let isRead = false;
      return {
        next: () => {
          if (isRead) return undefined;
          isRead = true;
          const changes = resources.flatMap((resource) =>
            objects
              .filter((object) => resourceOf(object) === resource.resource)
              .map((object) => ({ type: "put" as const, resource, object })),
          );
          return { isComplete: true, changes };
        },
      };
    },
  };
}

const decisionsOfSample = 2000;

function attributesOf(resource: string): AuthorizationAttributes {
  const question = { verb: "get", group: "", version: "v1", namespace: "default", name: "a" };
  return resourceAttributes(user, { ...question, resource });
}

/** The mean of a decision that the last of the user's bindings allows and of one that none does. */
async function millisecondsOfDecision(): Promise<number> {
  const lister = listerOf([...roles(), ...bindings()]);
  const { authorize } = rbac({ lister, roles: new BoundRoles(lister) });
  const [allowed, refused] = [attributesOf("configmaps"), attributesOf("pods")];
  const verdicts = [await authorize(allowed), await authorize(refused)].map(({ verdict }) => verdict);
  if (String(verdicts) !== "allow,noOpinion") throw new Error(`the decisions are ${verdicts}`);
  const sample = await milliseconds(() => {
    for (let n = 0; n < decisionsOfSample; n += 2) {
      void authorize(allowed);
      void authorize(refused);
    }
  }, 30);
  return sample / decisionsOfSample;
}

async function reader(authorizationMode: "AlwaysAllow" | "RBAC"): Promise<InProcess> {
  const cluster = createCluster({ controllers: [], authorizationMode, objects: [...roles(), ...bindings()] });
  await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
  return new InProcess(cluster, cluster.token("alice", { groups: ["dev", "ops"] }));
}

export const benchmarks: readonly Benchmark[] = [
  {
    what: "decision of RBAC, 1,000 bindings, 5,000 rules",
    reference: "",
    atMost: 0.02,
    unit: "ms",
    measure: millisecondsOfDecision,
  },
  {
    what: "GET in process with RBAC, 1,000 bindings, 5,000 rules",
    reference: "the same with AlwaysAllow",
    atMost: 1.3,
    unit: "x",
    measure: async () => {
      const [open, guarded] = [await reader("AlwaysAllow"), await reader("RBAC")];
      const path = "/api/v1/namespaces/default/configmaps/a";
      return cpuRatio(
        () => open.ask("GET", path),
        () => guarded.ask("GET", path),
      );
    },
  },
];
