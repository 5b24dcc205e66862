import { expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";
import { type Command, describeKubectlInOrder, testSince } from "./kubectl.ts";

/** A command, the name that it prints, and the stored object with its path. */
type Generated = readonly [
  command: Command,
  name: string,
  apiVersion: string,
  kind: string,
  stored: JsonObject,
];

describeKubectlInOrder("kubectl create", ({ cluster, file, kubectl, run, refusal }) => {
  const creates = async ([command, printed, apiVersion, kind, stored]: Generated): Promise<void> => {
    const words = typeof command === "string" ? command.split(" ") : command;
    expect(await kubectl(["create", ...words])).toBe(`${printed} created\n`);
    const name = printed.slice(printed.indexOf("/") + 1);
    expect(await cluster.get(apiVersion, kind, name)).toMatchObject(stored);
  };

  const rbac = "rbac.authorization.k8s.io";
  const subject = (kind: string, name: string) => ({ kind, name, apiGroup: rbac });

  test.each<Generated>([
    [
      "clusterrole reader --verb=get,list --resource=pods,deployments.apps --resource-name=web",
      `clusterrole.${rbac}/reader`,
      `${rbac}/v1`,
      "ClusterRole",
      {
        rules: [
          { apiGroups: [""], resources: ["pods"], resourceNames: ["web"], verbs: ["get", "list"] },
          { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["web"], verbs: ["get", "list"] },
        ],
      },
    ],
    [
      "clusterrole urls --verb=get --non-resource-url=/logs/*",
      `clusterrole.${rbac}/urls`,
      `${rbac}/v1`,
      "ClusterRole",
      { rules: [{ nonResourceURLs: ["/logs/*"], verbs: ["get"] }] },
    ],
    [
      "clusterrole sum --aggregation-rule=team=a",
      `clusterrole.${rbac}/sum`,
      `${rbac}/v1`,
      "ClusterRole",
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { team: "a" } }] } },
    ],
    [
      "clusterrolebinding readers --clusterrole=reader --user=alice --group=dev --serviceaccount=default:robot",
      `clusterrolebinding.${rbac}/readers`,
      `${rbac}/v1`,
      "ClusterRoleBinding",
      {
        roleRef: subject("ClusterRole", "reader"),
        subjects: [
          subject("User", "alice"),
          subject("Group", "dev"),
          { kind: "ServiceAccount", name: "robot", namespace: "default" },
        ],
      },
    ],
    [
      "role editor --verb=update --resource=deployments.apps/scale",
      `role.${rbac}/editor`,
      `${rbac}/v1`,
      "Role",
      { rules: [{ apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["update"] }] },
    ],
    [
      "rolebinding editors --role=editor --user=alice",
      `rolebinding.${rbac}/editors`,
      `${rbac}/v1`,
      "RoleBinding",
      { roleRef: subject("Role", "editor"), subjects: [subject("User", "alice")] },
    ],
    ["serviceaccount robot", "serviceaccount/robot", "v1", "ServiceAccount", { metadata: { name: "robot" } }],
  ])("%s", (...row) => creates(row));

  test.each<Generated>([
    [
      "configmap literals --from-literal=color=blue --from-literal=text=a=b",
      "configmap/literals",
      "v1",
      "ConfigMap",
      { data: { color: "blue", text: "a=b" } },
    ],
    ["namespace team", "namespace/team", "v1", "Namespace", { status: { phase: "Active" } }],
    [
      "deployment web --image=nginx:1 --image=docker.io/library/busybox --replicas=3",
      "deployment.apps/web",
      "apps/v1",
      "Deployment",
      {
        metadata: { generation: 1, labels: { app: "web" } },
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: "web" } },
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
          template: {
            spec: {
              containers: [
                { name: "nginx", image: "nginx:1", imagePullPolicy: "IfNotPresent" },
                { name: "busybox", image: "docker.io/library/busybox", imagePullPolicy: "Always" },
              ],
            },
          },
        },
      },
    ],
    [
      "deployment server --image=nginx:1 --port=80",
      "deployment.apps/server",
      "apps/v1",
      "Deployment",
      { spec: { template: { spec: { containers: [{ ports: [{ containerPort: 80, protocol: "TCP" }] }] } } } },
    ],
    [
      [..."deployment sleeper --image=busybox --".split(" "), "sleep", "1 h"],
      "deployment.apps/sleeper",
      "apps/v1",
      "Deployment",
      { spec: { template: { spec: { containers: [{ command: ["sleep", "1 h"] }] } } } },
    ],
    [
      "ingress web --class=nginx --rule=a.io/bar*=web:http,tls=cert --default-backend=web:80 --annotation=a=b",
      "ingress.networking.k8s.io/web",
      "networking.k8s.io/v1",
      "Ingress",
      {
        metadata: { annotations: { a: "b" } },
        spec: {
          ingressClassName: "nginx",
          defaultBackend: { service: { name: "web", port: { number: 80 } } },
          tls: [{ hosts: ["a.io"], secretName: "cert" }],
          rules: [
            {
              host: "a.io",
              http: {
                paths: [
                  {
                    path: "/bar",
                    pathType: "Prefix",
                    backend: { service: { name: "web", port: { name: "http" } } },
                  },
                ],
              },
            },
          ],
        },
      },
    ],
    [
      "job once --image=busybox -- date -u",
      "job.batch/once",
      "batch/v1",
      "Job",
      { spec: { template: { spec: { restartPolicy: "Never", containers: [{ command: ["date", "-u"] }] } } } },
    ],
    [
      "priorityclass high --value=1000 --description=important --preemption-policy=Never",
      "priorityclass.scheduling.k8s.io/high",
      "scheduling.k8s.io/v1",
      "PriorityClass",
      { value: 1000, description: "important", preemptionPolicy: "Never" },
    ],
    [
      "quota few --hard=pods=2 --scopes=BestEffort",
      "resourcequota/few",
      "v1",
      "ResourceQuota",
      { spec: { hard: { pods: "2" }, scopes: ["BestEffort"] } },
    ],
    [
      "secret generic hidden --from-literal=a=b --type=example.com/own",
      "secret/hidden",
      "v1",
      "Secret",
      { type: "example.com/own", data: { a: "Yg==" } },
    ],
  ])("%s", (...row) => creates(row));

  test.each<Generated>([
    [
      "service clusterip plain --tcp=80:8080 --tcp=443",
      "service/plain",
      "v1",
      "Service",
      {
        spec: {
          type: "ClusterIP",
          selector: { app: "plain" },
          clusterIP: expect.stringMatching(/^10\./),
          ports: [
            { name: "80-8080", port: 80, targetPort: 8080, protocol: "TCP" },
            { name: "443", port: 443, targetPort: 443 },
          ],
        },
      },
    ],
    [
      "service clusterip headless --clusterip=None",
      "service/headless",
      "v1",
      "Service",
      { spec: { clusterIP: "None", clusterIPs: ["None"] } },
    ],
    [
      "service externalname outside --external-name=example.com",
      "service/outside",
      "v1",
      "Service",
      { spec: { type: "ExternalName", externalName: "example.com" } },
    ],
    [
      "service loadbalancer front --tcp=80:http",
      "service/front",
      "v1",
      "Service",
      {
        spec: {
          type: "LoadBalancer",
          allocateLoadBalancerNodePorts: true,
          ports: [{ port: 80, targetPort: "http", nodePort: expect.any(Number) }],
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      "service nodeport door --tcp=80 --node-port=30080",
      "service/door",
      "v1",
      "Service",
      { spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30080 }] } },
    ],
  ])("%s", (...row) => creates(row));

  test("configmap from files, and from an env file", async () => {
    const text = file("color.txt", "blue\n");
    const bytes = file("bytes", Uint8Array.of(0xff, 0x00));
    await kubectl(`create configmap files --from-file=${text} --from-file=raw=${bytes}`);
    expect(await cluster.get("v1", "ConfigMap", "files")).toMatchObject({
      data: { "color.txt": "blue\n" },
      binaryData: { raw: "/wA=" },
    });
    const variables = file("variables.env", "# a comment\nCOLOR=blue\nEMPTY=\n");
    await kubectl(`create configmap variables --from-env-file=${variables}`);
    expect(await cluster.get("v1", "ConfigMap", "variables")).toMatchObject({
      data: { COLOR: "blue", EMPTY: "" },
    });
  });

  test("secret docker-registry, and tls", async () => {
    const login = "--docker-server=example.com --docker-username=me --docker-password=pw";
    await kubectl(`create secret docker-registry login ${login}`);
    const { type, data } = await cluster.get("v1", "Secret", "login");
    expect(type).toBe("kubernetes.io/dockerconfigjson");
    const { auths } = JSON.parse(atob((data as { ".dockerconfigjson": string })[".dockerconfigjson"]));
    expect(auths).toEqual({ "example.com": { username: "me", password: "pw", auth: btoa("me:pw") } });

    const { key, certificate } = createAuthority().issue({ commonName: "web", usage: "server" });
    const paths = `--cert=${file("tls.crt", certificate)} --key=${file("tls.key", key)}`;
    expect(await kubectl(`create secret tls pair ${paths}`)).toBe("secret/pair created\n");
    expect(await cluster.get("v1", "Secret", "pair")).toMatchObject({
      type: "kubernetes.io/tls",
      data: { "tls.crt": btoa(certificate), "tls.key": btoa(key) },
    });
  });

  const since22 = testSince(22, "support for servers without batch/v1beta1 and policy/v1beta1");

  since22("cronjob, and a job from it", async () => {
    const cronJob = ["create", "cronjob", "nightly", "--image=busybox", "--schedule=0 1 * * *"];
    expect(await kubectl([...cronJob, "--", "date"])).toBe("cronjob.batch/nightly created\n");
    const { metadata, spec } = await cluster.get("batch/v1", "CronJob", "nightly");
    expect(spec).toMatchObject({
      schedule: "0 1 * * *",
      concurrencyPolicy: "Allow",
      jobTemplate: { spec: { template: { spec: { restartPolicy: "OnFailure" } } } },
    });
    expect(await kubectl("create job tonight --from=cronjob/nightly")).toBe("job.batch/tonight created\n");
    expect(await cluster.get("batch/v1", "Job", "tonight")).toMatchObject({
      metadata: {
        annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
        ownerReferences: [{ kind: "CronJob", name: "nightly", uid: metadata.uid }],
      },
      spec: { template: { spec: { containers: [{ command: ["date"] }] } } },
    });
  });

  since22("poddisruptionbudget", () =>
    creates([
      "poddisruptionbudget half --selector=app=web --min-available=50%",
      "poddisruptionbudget.policy/half",
      "policy/v1",
      "PodDisruptionBudget",
      { spec: { minAvailable: "50%", selector: { matchLabels: { app: "web" } } } },
    ]),
  );

  testSince(24, "kubectl create token")("token of a service account", async () => {
    const token = await kubectl("create token robot --duration=1h --audience=one --audience=two");
    const [, claims = ""] = token.split(".");
    const { exp, iat, ...rest } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(exp - iat).toBe(3600);
    const { uid } = (await cluster.get("v1", "ServiceAccount", "robot")).metadata;
    expect(rest).toMatchObject({
      aud: ["one", "two"],
      sub: "system:serviceaccount:default:robot",
      "kubernetes.io": { namespace: "default", serviceaccount: { name: "robot", uid } },
    });
    expect(await refusal("create token missing")).toBe(
      'error: failed to create token: serviceaccounts "missing" not found\n',
    );
    expect(await refusal("create token robot --duration=5m")).toContain(
      "spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes",
    );
  });

  test("--dry-run=server returns the result, and stores nothing", async () => {
    expect(await kubectl("create deployment ghost --image=nginx --dry-run=server")).toBe(
      "deployment.apps/ghost created (server dry run)\n",
    );
    const dry = "create service clusterip ghost --tcp=80 --dry-run=server -o jsonpath={.spec.clusterIP}";
    expect(await kubectl(dry)).toMatch(/^10\./);
    const [deployments, services] = await Promise.all([
      cluster.list("apps/v1", "Deployment", { fieldSelector: "metadata.name=ghost" }),
      cluster.list("v1", "Service", { fieldSelector: "metadata.name=ghost" }),
    ]);
    expect([...deployments.items, ...services.items]).toEqual([]);
  });

  test.each<[command: string, text: string | RegExp]>([
    ["create namespace default", 'Error from server (AlreadyExists): namespaces "default" already exists\n'],
    [
      "create deployment Web --image=nginx",
      "error: failed to create deployment: Deployment.apps \"Web\" is invalid: metadata.name: Invalid value: \"Web\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n",
    ],
    [
      "create service nodeport other --tcp=80 --node-port=30080",
      'error: failed to create NodePort service: Service "other" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated\n',
    ],
    [
      "create configmap lost -n nowhere",
      /^(error: failed to create configmap|Error from server \(NotFound\)): namespaces "nowhere" not found\n$/,
    ],
    ["create role odd --verb=get --resource=things", 'the server doesn\'t have a resource type "things"\n'],
    [
      "create job lost --from=cronjob/nowhere",
      'Error from server (NotFound): cronjobs.batch "nowhere" not found\n',
    ],
  ])("%s is refused", async (command, text) => {
    expect(await refusal(command)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
  });

  test("a second default priority class is refused", async () => {
    const priorityClass = "create priorityclass --value=1 --global-default=true";
    await kubectl(`${priorityClass} first`);
    expect(await refusal(`${priorityClass} second`)).toContain(
      ': priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist\n',
    );
  });

  test("create -f generates a name", async () => {
    const generated = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  generateName: made-\n";
    expect(await kubectl("create -f - -o name", generated)).toMatch(/^configmap\/made-[a-z0-9]{5}\n$/);
  });

  test("create -f continues after an error, and reports each result", async () => {
    const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
    const manifests = `${configMap("literals")}---\n${configMap("fresh")}---\n${configMap("Bad")}`;
    const { status, stdout, stderr } = await run("create -f -", { input: manifests });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "configmap/fresh created\n" });
    expect(stderr).toMatch(
      /^Error from server \(AlreadyExists\): error when creating "STDIN": configmaps "literals" already exists\nError from server \(Invalid\): error when creating "STDIN": ConfigMap "Bad" is invalid: metadata\.name: Invalid value: "Bad"/,
    );
  });
});
