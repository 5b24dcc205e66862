import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { flagLives } from "./flag-lives.ts";
import { parseServeFlags } from "./serve-flags.ts";

const parse = (...args: string[]) => parseServeFlags("serve", args);

test("without flags, every option has its default", () => {
  expect(parse()).toEqual({
    help: false,
    version: false,
    bindAddress: "127.0.0.1",
    port: undefined,
    http: false,
    allowedHosts: [],
    http2MaxStreamsPerConnection: undefined,
    kubeconfig: undefined,
    tokenAuthFile: undefined,
    authenticationFiles: {
      clientCa: undefined,
      requestheaderClientCa: undefined,
      tokenWebhook: undefined,
      serviceAccountKeys: [],
      serviceAccountSigningKey: undefined,
    },
    shutdownDelayMilliseconds: 0,
    authorizationPolicyFile: undefined,
    authorizationConfig: undefined,
    authorizationWebhookConfigFile: undefined,
    load: [],
    openapiDescriptions: undefined,
    serviceAt: [],
    stages: [],
    scenarios: [],
    auditLogPath: undefined,
    auditPolicyFile: undefined,
    verbosity: 0,
    control: true,
    cluster: { runtimeConfig: new Map(), featureGates: new Map() },
    withoutEffect: [],
    deprecations: [],
    quiet: false,
    rest: undefined,
  });
});

test.each([
  ["--port is short for --secure-port", ["--secure-port=1"], { port: 1 }],
  ["--port wins over --secure-port", ["--port=2", "--secure-port=1"], { port: 2 }],
  ["the last value of a repeated flag wins", ["--port=1", "--port=2"], { port: 2 }],
  [
    "a shell may expand the value of --load",
    ["--load", "a", "b", "--http", "c"],
    { load: ["a", "b", "c"], http: true },
  ],
  ["--load repeats", ["--load=a", "--load=b"], { load: ["a", "b"] }],
  ["masked names", ["--identifiers", "svc"], { cluster: { identifiers: "svc" } }],
  ["unknown kinds are left out", ["--on-unknown=skip"], { cluster: { onUnknown: "skip" } }],
  [
    "keys of service accounts come from files",
    ["--service-account-key-file=a", "--service-account-key-file=b", "--service-account-signing-key-file=c"],
    {
      authenticationFiles: {
        clientCa: undefined,
        requestheaderClientCa: undefined,
        tokenWebhook: undefined,
        serviceAccountKeys: ["a", "b"],
        serviceAccountSigningKey: "c",
      },
    },
  ],
  [
    "a proxy names users in headers",
    [
      "--requestheader-allowed-names=a,b",
      "--requestheader-username-headers=X-Remote-User",
      "--requestheader-group-headers=X-Remote-Group",
      "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      "--requestheader-uid-headers=X-Remote-Uid",
    ],
    {
      cluster: {
        requestheaderAllowedNames: ["a", "b"],
        requestheaderUsernameHeaders: ["X-Remote-User"],
        requestheaderGroupHeaders: ["X-Remote-Group"],
        requestheaderExtraHeadersPrefix: ["X-Remote-Extra-"],
        requestheaderUidHeaders: ["X-Remote-Uid"],
      },
    },
  ],
  [
    "service accounts can have several issuers",
    ["--service-account-issuer=https://a", "--service-account-issuer=https://b", "--api-audiences=a,b"],
    { cluster: { serviceAccountIssuer: ["https://a", "https://b"], apiAudiences: ["a", "b"] } },
  ],
  [
    "the life of tokens can be limited",
    ["--service-account-max-token-expiration=2h", "--service-account-extend-token-expiration=false"],
    {
      cluster: { serviceAccountMaxTokenExpiration: "2h", serviceAccountExtendTokenExpiration: false },
    },
  ],
  [
    "an issuer of OpenID Connect is trusted",
    [
      "--oidc-issuer-url=https://a.test",
      "--oidc-client-id=c",
      "--oidc-username-claim=email",
      "--oidc-username-prefix=-",
      "--oidc-groups-claim=groups",
      "--oidc-groups-prefix=g:",
      "--oidc-signing-algs=RS256,ES256",
      "--oidc-required-claim=hd=a=b",
      "--oidc-required-claim= x = y ",
      "--oidc-ca-file=ca.pem",
    ],
    {
      cluster: {
        oidcIssuerUrl: "https://a.test",
        oidcClientId: "c",
        oidcUsernameClaim: "email",
        oidcUsernamePrefix: "-",
        oidcGroupsClaim: "groups",
        oidcGroupsPrefix: "g:",
        oidcSigningAlgs: ["RS256", "ES256"],
        oidcRequiredClaim: new Map([
          ["hd", "a=b"],
          ["x", "y"],
        ]),
      },
      authenticationFiles: { serviceAccountKeys: [], oidcCa: "ca.pem" },
      withoutEffect: [],
    },
  ],
  [
    "a file configures issuers",
    ["--authentication-config=file"],
    {
      authenticationFiles: { serviceAccountKeys: [], authenticationConfiguration: "file" },
      withoutEffect: [],
    },
  ],
  [
    "bootstrap tokens can authenticate",
    ["--enable-bootstrap-token-auth"],
    { cluster: { enableBootstrapTokenAuth: true } },
  ],
  [
    "the server can be alive early and serve late",
    ["--livez-grace-period=30s", "--shutdown-delay-duration=1m"],
    { cluster: { livezGracePeriod: "30s" }, shutdownDelayMilliseconds: 60_000 },
  ],
  [
    "controllers are a list",
    ["--controllers=*,-job-controller"],
    { cluster: { controllers: ["*", "-job-controller"] } },
  ],
  [
    "metrics are hidden and shown",
    [
      "--show-hidden-metrics-for-version=1.31",
      "--disabled-metrics=a,b",
      "--disabled-metrics=c",
      "--allow-metric-labels=a,code=200,201",
      '--allow-metric-labels="b,verb=GET","b,code="',
    ],
    {
      cluster: {
        showHiddenMetricsForVersion: "1.31",
        disabledMetrics: ["a", "b", "c"],
        allowMetricLabels: { "a,code": "200,201", "b,verb": "GET", "b,code": "" },
      },
    },
  ],
  ["anonymous requests can be allowed", ["--anonymous-auth"], { cluster: { anonymousAuth: true } }],
  [
    "pages of other origins can be allowed",
    ["--cors-allowed-origins=//a$,//b$", "--cors-allowed-origins", "//c$"],
    { cluster: { corsAllowedOrigins: ["//a$", "//b$", "//c$"] } },
  ],
  ["anonymous requests can be refused", ["--anonymous-auth=false"], { cluster: { anonymousAuth: false } }],
  ["history has a size", ["--history-bytes=1000"], { cluster: { historyBytes: 1000 } }],
  ["an empty list means no controllers", ["--controllers="], { cluster: { controllers: [] } }],
  [
    "feature gates may name their component",
    ["--feature-gates=A=true,kube:B=f"],
    {
      cluster: {
        featureGates: new Map([
          ["A", true],
          ["B", false],
        ]),
      },
    },
  ],
  [
    "authorization by roles",
    ["--authorization-mode=Node,RBAC"],
    { cluster: { authorizationMode: ["Node", "RBAC"] } },
  ],
  [
    "authorization modes in their order",
    ["--authorization-mode=RBAC,AlwaysAllow"],
    { cluster: { authorizationMode: ["RBAC", "AlwaysAllow"] } },
  ],
  [
    "APIs are enabled",
    ["--runtime-config=api/alpha=true", "--runtime-config=v1=true"],
    {
      cluster: {
        runtimeConfig: new Map([
          ["api/alpha", true],
          ["v1", true],
        ]),
      },
    },
  ],
  [
    "ranges of services",
    ["--service-cluster-ip-range=10.0.0.0/24", "--service-node-port-range=1-9"],
    {
      cluster: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: "1-9" },
    },
  ],
  ["--stages repeats", ["--stages=a.yaml", "--stages", "stages"], { stages: ["a.yaml", "stages"] }],
  [
    "--service-at repeats, and the name ends before the last address",
    ["--service-at=policies/webhook=127.0.0.1:9443", "--service-at", "https://Hooks.example.com=[::1]:1"],
    {
      serviceAt: [
        { server: "policies/webhook", address: { host: "127.0.0.1", port: 9443 } },
        { server: "https://hooks.example.com", address: { host: "::1", port: 1 } },
      ],
      withoutEffect: [],
    },
  ],
  [
    "the certificate of the front proxy comes from files",
    ["--proxy-client-cert-file=a", "--proxy-client-key-file=b"],
    { authenticationFiles: { proxyClientCert: "a", proxyClientKey: "b" }, withoutEffect: [] },
  ],
  ["names of a port without TLS", ["--http", "--allowed-hosts=a,b"], { allowedHosts: ["a", "b"] }],
  [
    "requests in flight are limited",
    [
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=3",
      "--http2-max-streams-per-connection=7",
    ],
    {
      cluster: { maxRequestsInflight: 0, maxMutatingRequestsInflight: 3 },
      http2MaxStreamsPerConnection: 7,
      withoutEffect: [],
    },
  ],
  ["--version takes a value", ["--version=raw"], { version: true }],
  ["-h is help", ["-h"], { help: true }],
  [
    "a flag of kube-apiserver is accepted and listed as without effect",
    ["--etcd-servers=http://x", "--etcd-prefix=/a", "--v=2"],
    {
      verbosity: 2,
      withoutEffect: ["etcd-servers", "etcd-prefix"],
    },
  ],
  [
    "each deprecated flag of kube-apiserver has its warning, each time it is given",
    ["--cloud-provider=aws", "--apiserver-count=3", "--cloud-provider", "gce", "--quiet"],
    {
      quiet: true,
      deprecations: [
        "Flag --cloud-provider has been deprecated, will be removed in a future version",
        "Flag --cloud-provider has been deprecated, will be removed in a future version",
        "Flag --apiserver-count has been deprecated, apiserver-count is deprecated and will be removed in a future version.",
      ],
    },
  ],
  [
    "a flag has the warning of the release",
    ["--release=v1.28.3", "--cloud-provider=aws", "--enable-logs-handler", "--default-watch-cache-size=1"],
    {
      deprecations: [
        "Flag --enable-logs-handler has been deprecated, This flag will be removed in v1.19",
        "Flag --default-watch-cache-size has been deprecated, watch caches are sized automatically and this flag will be removed in a future version",
      ],
    },
  ],
  [
    "old releases have flags that were removed since",
    ["--release=1.19", "--insecure-port=8080", "--kubelet-https", "--service-account-api-audiences=a,b"],
    {
      cluster: { apiAudiences: ["a", "b"] },
      withoutEffect: ["insecure-port", "kubelet-https"],
      deprecations: [
        "Flag --insecure-port has been deprecated, This flag will be removed in a future version.",
        "Flag --kubelet-https has been deprecated, API Server connections to kubelets always use https. This flag will be removed in 1.22.",
        "Flag --service-account-api-audiences has been deprecated, Use --api-audiences",
      ],
    },
  ],
  [
    "a flag of klog is deprecated before it is removed",
    ["--release=1.25", "--logtostderr"],
    {
      withoutEffect: ["logtostderr"],
      deprecations: [
        "Flag --logtostderr has been deprecated, will be removed in a future release, see https://github.com/kubernetes/enhancements/tree/master/keps/sig-instrumentation/2845-deprecate-klog-specific-flags-in-k8s-components",
      ],
    },
  ],
  [
    "a later release has another one",
    ["--release=1.36", "--enable-logs-handler"],
    {
      deprecations: [
        "Flag --enable-logs-handler has been deprecated, Log handler functionality is deprecated",
      ],
    },
  ],
  [
    "a release that does not exist is refused later",
    ["--release=2", "--kubelet-port=1"],
    {
      deprecations: [
        "Flag --kubelet-port has been deprecated, kubelet-port is deprecated and will be removed.",
      ],
    },
  ],
  [
    "arguments after -- are kept",
    ["--http", "--", "kubectl", "--port=x"],
    { http: true, rest: ["kubectl", "--port=x"] },
  ],
])("%s", (_title, args, expected) => {
  expect(parse(...args)).toMatchObject(expected);
});

test.each([
  [["--port=65536"], "--port 65536 must be between 0 and 65535, inclusive. 0 picks a free port"],
  [["--service-at=a/b"], '--service-at "a/b": must be namespace/name=host:port'],
  [["--service-at=b=127.0.0.1:1"], '--service-at "b=127.0.0.1:1": the server must be the name of a Service'],
  [["--service-at=a/b=9443"], '--service-at "a/b=9443": the address of a/b must be a host and a port'],
  [["--max-requests-inflight=-1"], "--max-requests-inflight can not be negative value"],
  [["a", "b"], '"kubedouble serve" does not take any arguments, got ["a" "b"]'],
  [
    ["--authorization-webhook-version=v2"],
    'unsupported webhook authorizer version "v2", supported versions are "v1", "v1beta1"',
  ],
  [
    ["--authentication-token-webhook-version=v2"],
    'unsupported authentication webhook version "v2", supported versions are "v1", "v1beta1"',
  ],
  [["--authorization-mode=Roles"], 'authorization-mode "Roles" is not a valid mode'],
  [["--runtime-config=api/all=perhaps"], "invalid value api/all=perhaps"],
  [["--feature-gates=A"], "missing bool value for A"],
  [["--feature-gates=A=x"], 'invalid value of A=x, err: strconv.ParseBool: parsing "x": invalid syntax'],
  [["--feature-gates=other:A=true"], "component not registered: other"],
  [
    ["--insecure-port=0", "--release=1.24"],
    "unknown flag: --insecure-port; 1.24 removed it from kube-apiserver",
  ],
  [["--release=1.21", "--insecure-port=8080"], "invalid port value 8080: only zero is allowed"],
  [["--logtostderr"], "unknown flag: --logtostderr; 1.26 removed it from kube-apiserver"],
  [
    ["--release=1.28", "--authorization-config=x"],
    "unknown flag: --authorization-config; kube-apiserver has it since 1.29",
  ],
  [["--etcd-server=x"], "unknown flag: --etcd-server; did you mean --etcd-servers?"],
  [
    ["--etcd-compaction-interval=5"],
    'invalid argument "5" for "--etcd-compaction-interval" flag: time: missing unit in duration "5"',
  ],
])("%j is refused", (args, message) => {
  expect(() => parse(...args)).toThrow(message);
});

test("every life of a flag is of a flag with a type", () => {
  const flags = Object.keys(JSON.parse(readFileSync("src/cli/kube-apiserver-flags.json", "utf8")));
  expect([...flagLives.keys()].filter((name) => !flags.includes(name))).toEqual([]);
});
