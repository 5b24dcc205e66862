import fc from "fast-check";
import { expect, test } from "vitest";
import { masked, unmasked } from "./service-name.ts";

/** Names of Kubernetes in their places, and how a specification with masks writes them. */
const names: readonly (readonly [real: string, mask: string])[] = [
  ["/apis/events.k8s.io/v1/events", "/apis/events.svc.io/v1/events"],
  ["/apis/node.k8s.io", "/apis/node.svc.io"],
  ['"apiVersion":"node.k8s.io/v1"', '"apiVersion":"node.svc.io/v1"'],
  ['"node.kubernetes.io/not-ready"', '"node.svc.io/not-ready"'],
  ['"apiGroup":"rbac.authorization.k8s.io"', '"apiGroup":"rbac.authorization.svc.io"'],
  ["rbac.authorization.kubernetes.io/autoupdate", "rbac.authorization.svc.io/autoupdate"],
  ["rbac.authorization.k8s.io/aggregate-to-admin", "rbac.authorization.svc.io/aggregate-to-admin"],
  [
    "/metadata/annotations/deployment.kubernetes.io~1revision",
    "/metadata/annotations/deployment.svc.io~1revision",
  ],
  ["labelSelector=kubernetes.io%2Fmetadata.name%3Dx", "labelSelector=svc.io%2Fmetadata.name%3Dx"],
  ["type: bootstrap.kubernetes.io/token", "type: bootstrap.svc.io/token"],
  ["application/vnd.kubernetes.protobuf;stream=watch", "application/vnd.svc.protobuf;stream=watch"],
  ["application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Table;v=v1;g=meta.svc.io"],
  ["x-kubernetes-list-type", "x-svc-list-type"],
  ["X-Kubernetes-Pf-Flowschema-Uid", "X-Svc-Pf-Flowschema-Uid"],
  ["kube-system", "svc-system"],
  ["system:serviceaccounts:kube-system", "system:serviceaccounts:svc-system"],
  ["system:kube-scheduler", "system:svc-scheduler"],
  ["kube-api-access-x7k2v", "svc-api-access-x7k2v"],
  ["kubectl.kubernetes.io/last-applied-configuration", "svcctl.svc.io/last-applied-configuration"],
  ["kubernetes.io/kube-apiserver-client-kubelet", "svc.io/svc-apiserver-client-svclet"],
  ["https://kubernetes.default.svc.cluster.local", "https://svc.default.svc.cluster.local"],
  ["/api/v1/namespaces/default/services/kubernetes", "/api/v1/namespaces/default/services/svc"],
  ['"finalizers":["kubernetes"]', '"finalizers":["svc"]'],
  ["bars.foo.k8s.io", "bars.foo.svc.io"],
  ["cluster.x-k8s.io/v1beta1", "cluster.x-svc.io/v1beta1"],
  ["v5.channel.k8s.io", "v5.channel.svc.io"],
  ["base64url.bearer.authorization.k8s.io.dG9rZW4", "base64url.bearer.authorization.svc.io.dG9rZW4"],
  ['"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"', '"svc.io/svc/pkg/api/legacyscheme/scheme.go:30"'],
  ["io.k8s.api.core.v1.Pod", "io.svc.api.core.v1.Pod"],
];

test.each(names)("%s is masked as %s, and back", (real, mask) => {
  expect(masked(real)).toBe(mask);
  expect(unmasked(mask)).toBe(real);
  expect(unmasked(real), "clients may use the real names too").toBe(real);
});

test.each([
  "my-svc",
  "svc-a",
  "https://svc.shop.svc:443/hook",
  "webhook.default.svc",
  '"shortNames":["svc"]',
  "/api/v1/namespaces/shop/services/svc",
  "my-svc.io/owner",
  "svc.io.example.com",
  "object.spec.svc.port == services.all(svc, svc.port > 0)",
])("%s is a name of the client, and stays", (text) => {
  expect(unmasked(text)).toBe(text);
  expect(masked(text)).toBe(text);
});

test.each(["QUJDkubeREVGk8sR0hJ", "web-k8s2x", "9fkube00"])("%s is not taken for a name", (text) => {
  expect(masked(text)).toBe(text);
});

test("what a client has written comes back to it", () => {
  const parts = [
    "svc",
    "kube",
    "kubernetes",
    "k8s",
    ".io",
    "/",
    "-",
    ".",
    "x",
    "v1",
    "system",
    '"',
    " ",
    "%2F",
    "apis/",
    "node",
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, (sent) => {
      expect(masked(unmasked(sent))).toBe(masked(sent));
    }),
    { numRuns: 2000 },
  );
});
