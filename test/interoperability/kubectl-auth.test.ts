import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { UserKubeconfigOptions } from "../../src/index.ts";
import { tokenExpired } from "../../src/scenario/presets.ts";
import { certificateRequest } from "../authentication/certificate-request.ts";
import { credentialPlugin } from "./credential-plugin.ts";
import { describeKubectl, ended, testSince } from "./kubectl.ts";

const plugin = await credentialPlugin();

describeKubectl(
  "kubectl auth",
  ({ cluster, file, kubectl, refusal, run, start }) => {
    test("can-i answers yes to an administrator", async () => {
      expect(await kubectl("auth can-i create deployments.apps")).toBe("yes\n");
      expect(await kubectl("auth can-i get /healthz")).toBe("yes\n");
      expect(await kubectl("auth can-i --list")).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m);
    });

    test("can-i answers other users according to their roles", async () => {
      const as = `--token=${cluster.token("alice")}`;
      await kubectl("create role reader --verb=get --resource=configmaps --resource-name=one");
      await kubectl("create rolebinding readers --role=reader --user=alice");
      const no = { status: 1, stdout: "no\n", stderr: "" };
      expect(await kubectl(`auth can-i get configmaps/one ${as}`)).toBe("yes\n");
      expect(await run(`auth can-i get configmaps/two ${as}`)).toEqual(no);
      expect(await run(`auth can-i get configmaps/one -n kube-system ${as}`)).toEqual(no);
      expect(await run(`auth can-i get configmaps --subresource=status ${as}`)).toEqual(no);
      expect(await kubectl(`auth can-i --list ${as}`)).toMatch(/^configmaps +\[\] +\[one\] +\[get\]$/m);
    });

    test("can-i gives the reason if a role is missing", async () => {
      await kubectl("create rolebinding dangling --role=missing --user=bob");
      expect(await run(`auth can-i get pods --token=${cluster.token("bob")}`)).toEqual({
        status: 1,
        stdout: 'no - RBAC: role.rbac.authorization.k8s.io "missing" not found\n',
        stderr: "",
      });
    });

    testSince(28, "kubectl auth whoami")("whoami", async () => {
      expect(await kubectl("auth whoami")).toMatch(
        /^ATTRIBUTE +VALUE *\nUsername +kubernetes-admin\nGroups +\[system:masters system:authenticated\]\n$/,
      );
      const token = cluster.token("alice", { groups: ["dev"], uid: "u" });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --token=${token}`));
      expect(status).toEqual({
        userInfo: { username: "alice", uid: "u", groups: ["dev", "system:authenticated"] },
      });
    });

    test("impersonation shows the impersonated user, and needs permission", async () => {
      const who = "auth whoami -o json --as=zoe --as-group=dev --as-group=ops --as-uid=u-1";
      const { status } = JSON.parse(await kubectl(who));
      expect(status.userInfo).toEqual({
        username: "zoe",
        uid: "u-1",
        groups: ["dev", "ops", "system:authenticated"],
      });
      // From now on kubectl knows the resources, and does not ask for them as a user that it may not impersonate.
      await kubectl("get configmaps");
      const asAlice = `--token=${cluster.token("alice")}`;
      expect(await run(`get pods --as=zoe ${asAlice}`)).toEqual({
        status: 1,
        stdout: "",
        stderr:
          'Error from server (Forbidden): users "zoe" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope\n',
      });
    });

    test("create token issues a token that logs in until its pod is gone", async () => {
      await kubectl("create configmap data");
      await cluster.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "web", namespace: "default" },
        spec: { serviceAccountName: "default", containers: [{ name: "c", image: "i" }] },
      });
      const token = await kubectl("create token default --bound-object-kind=Pod --bound-object-name=web");
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --token=${token.trim()}`));
      expect(status.userInfo).toMatchObject({
        username: "system:serviceaccount:default:default",
        extra: { "authentication.kubernetes.io/pod-name": ["web"] },
      });
      await kubectl("delete pod web --now");
      await cluster.clock.advance("10s");
      const refused = await run(`get pods --token=${token.trim()}`);
      expect(refused.stderr).toMatch(/You must be logged in to the server \(Unauthorized\)/);
    });

    /** A kubeconfig for the same server with other credentials. */
    async function kubeconfigWith(credentials: Omit<UserKubeconfigOptions, "server">): Promise<string> {
      const { clusters } = JSON.parse(await kubectl("config view --raw -o json"));
      const { server, "certificate-authority-data": certificateAuthorityData } = clusters[0].cluster;
      const options = { server, certificateAuthorityData, ...credentials };
      return file("credentials.yaml", cluster.kubeconfig(options));
    }

    /** The name of the user that a kubeconfig logs in. */
    async function usernameOf(kubeconfig: string): Promise<string> {
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      return status.userInfo.username;
    }

    test("a certificate in a kubeconfig logs in", async () => {
      const kubeconfig = await kubeconfigWith({
        certificate: await cluster.certificate("alice", { groups: ["dev"] }),
      });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      expect(status.userInfo).toMatchObject({ username: "alice", groups: ["dev", "system:authenticated"] });
    });

    test("certificate approve issues a certificate that logs in", async () => {
      const { request, key } = certificateRequest("bob", ["ops"]);
      const spec = { request, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth"] };
      const csr = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest" };
      await kubectl("create -f -", JSON.stringify({ ...csr, metadata: { name: "bob" }, spec }));
      await kubectl("certificate approve bob");
      await cluster.settle();
      expect(await kubectl("get csr bob")).toMatch(/Approved,Issued/);
      const issued = await kubectl("get csr bob -o jsonpath={.status.certificate}");
      const kubeconfig = await kubeconfigWith({ certificate: { certificate: atob(issued), key } });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      expect(status.userInfo).toMatchObject({ username: "bob", groups: ["ops", "system:authenticated"] });
    });

    describe("of a user who may get and list pods", () => {
      beforeEach(async () => {
        const group = "rbac.authorization.k8s.io";
        const apiVersion = `${group}/v1`;
        const carl = { apiGroup: group, kind: "User", name: "carl" };
        const testers = { apiGroup: group, kind: "Group", name: "testers" };
        const ci = { kind: "ServiceAccount", name: "ci", namespace: "default" };
        const viewer = { apiGroup: group, kind: "ClusterRole", name: "viewer" };
        const prober = { apiGroup: group, kind: "ClusterRole", name: "prober" };
        const verbs = ["get", "list"];
        const viewing = [
          { apiGroups: [""], resources: ["pods"], verbs },
          { apiGroups: ["apps"], resources: ["deployments/scale"], verbs },
        ];
        const probing = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
        const spec = { containers: [{ name: "c", image: "i" }] };
        const objects = [
          { apiVersion, kind: "ClusterRole", metadata: { name: "viewer" }, rules: viewing },
          { apiVersion, kind: "ClusterRole", metadata: { name: "prober" }, rules: probing },
          {
            apiVersion,
            kind: "RoleBinding",
            metadata: { name: "viewers", namespace: "default" },
            roleRef: viewer,
            subjects: [carl, testers, ci],
          },
          {
            apiVersion,
            kind: "ClusterRoleBinding",
            metadata: { name: "probers" },
            roleRef: prober,
            subjects: [carl],
          },
          { apiVersion: "v1", kind: "Pod", metadata: { name: "shop" }, spec },
        ];
        for (const object of objects) await cluster.create(object);
      });

      test("create rolebinding grants it to users, groups and service accounts", async () => {
        const subjects = "--user=dora --group=testers --serviceaccount=default:ci";
        expect(await kubectl(`create rolebinding more --clusterrole=viewer ${subjects}`)).toBe(
          "rolebinding.rbac.authorization.k8s.io/more created\n",
        );
        expect(await kubectl("create clusterrolebinding more --clusterrole=prober --user=dora")).toBe(
          "clusterrolebinding.rbac.authorization.k8s.io/more created\n",
        );
        expect(await kubectl("auth can-i get /metrics --as=dora")).toBe("yes\n");
      });

      const nodes = "Warning: resource 'nodes' is not namespace scoped\n\n";
      const policies =
        "Warning: the server doesn't have a resource type 'podsecuritypolicies' in group 'policy'\n\n";
      const things = "Warning: the server doesn't have a resource type 'things'\n\n";
      test.each<[string, "yes" | "no", string]>([
        ["list pods --as=carl", "yes", ""],
        ["list pods --as=carl -n kube-system", "no", ""],
        ["list pods --as=carl -A", "no", ""],
        ["get pods/shop --as=carl", "yes", ""],
        ["get deployments.apps --subresource=scale --as=zoe --as-group=testers", "yes", ""],
        ["get pods --as=system:serviceaccount:default:ci", "yes", ""],
        ["get /metrics --as=carl", "yes", ""],
        ["get /logs --as=carl", "no", ""],
        ["list nodes --as=carl", "no", nodes],
        ["get things --as=carl", "no", things],
        ["* *", "yes", ""],
        ["* * --as=carl", "no", ""],
        ["get po --as=carl --as-uid=u-1", "yes", ""],
        ["list deployments.v1.apps --subresource=scale --as=carl", "yes", ""],
        ["list deployments.v1.apps --as=carl", "no", ""],
        ["fly pods --as=carl", "no", "Warning: verb 'fly' is not a known verb\n\n"],
        ["get pods --as=system:serviceaccount:kube-system:ci", "no", ""],
        ["get pods --as=testers", "no", ""],
        ["use podsecuritypolicies.policy --as=carl -A", "no", policies],
      ])("can-i %s: %s", async (question, answer, stderr) => {
        const status = answer === "yes" ? 0 : 1;
        expect(await run(`auth can-i ${question}`)).toEqual({ status, stdout: `${answer}\n`, stderr });
      });

      test("can-i --quiet answers with its status, and --list with the rules", async () => {
        expect(await run("auth can-i --quiet delete pods --as=carl")).toEqual({
          status: 1,
          stdout: "",
          stderr: "",
        });
        const rules = await kubectl("auth can-i --list --no-headers --as=carl");
        expect(rules).toMatch(/^pods +\[\] +\[\] +\[get list\]$/m);
        expect(rules).toMatch(/^ +\[\/metrics\] +\[\] +\[get\]$/m);
      });

      test("can-i --list is about one namespace, and about the groups that are given", async () => {
        const inSystem = await kubectl("auth can-i --list --no-headers --as=carl -n kube-system");
        expect(inSystem).toMatch(/^ +\[\/metrics\] +\[\] +\[get\]$/m);
        expect(inSystem).not.toContain("pods");
        const ofGroup = await kubectl("auth can-i --list --as=zoe --as-group=testers");
        expect(ofGroup).toMatch(/^Resources +Non-Resource URLs +Resource Names +Verbs *$/m);
        expect(ofGroup).toMatch(/^deployments\.apps\/scale +\[\] +\[\] +\[get list\]$/m);
        expect(ofGroup).not.toContain("/metrics");
      });

      const server = "Error from server (Forbidden): ";
      const grants =
        'user "carl" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';
      const secretRule = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}\n';

      test.each<[string, string, string]>([
        ["role more --verb=get --resource=secrets", server, "roles"],
        ["clusterrole more --verb=get --resource=secrets", server, "clusterroles"],
        [
          "rolebinding more --role=secrets --user=carl",
          "error: failed to create rolebinding: ",
          "rolebindings",
        ],
        [
          "clusterrolebinding more --clusterrole=secrets --user=carl",
          "error: failed to create clusterrolebinding: ",
          "clusterrolebindings",
        ],
      ])("create %s: a user grants only what the user has", async (command, prefix, resource) => {
        const kinds = "roles,rolebindings,clusterroles,clusterrolebindings";
        await kubectl(`create clusterrole roles --verb=create --resource=${kinds}`);
        await kubectl("create clusterrolebinding roles --clusterrole=roles --user=carl");
        await kubectl("create role secrets --verb=get --resource=secrets");
        await kubectl("create clusterrole secrets --verb=get --resource=secrets");
        expect(await refusal(`create ${command} --as=carl`)).toBe(
          `${prefix}${resource}.rbac.authorization.k8s.io "more" is forbidden: ${grants}${secretRule}`,
        );
      });

      test.each<[string, string, string, string]>([
        ["get secret s", server, 'secrets "s"', 'get resource "secrets"'],
        ["get pods -A", server, "pods", "list"],
        ["get secrets", server, "secrets", 'list resource "secrets"'],
        ["get pods --watch-only", server, "pods", 'watch resource "pods"'],
        [
          "create configmap c",
          "error: failed to create configmap: ",
          "configmaps",
          'create resource "configmaps"',
        ],
        ["label pod shop a=b", server, 'pods "shop"', 'patch resource "pods"'],
        ["delete pod shop", server, 'pods "shop"', 'delete resource "pods"'],
        ["exec shop -- ls", server, 'pods "shop"', 'create resource "pods/exec"'],
      ])("%s is forbidden", async (command, prefix, object, action) => {
        const where =
          action === "list"
            ? 'list resource "pods" in API group "" at the cluster scope'
            : `${action} in API group "" in the namespace "default"`;
        const [verb = "", ...others] = command.split(" ");
        expect(await run([verb, "--as=carl", ...others])).toEqual({
          status: 1,
          stdout: "",
          stderr: `${prefix}${object} is forbidden: User "carl" cannot ${where}\n`,
        });
      });
    });

    test("reconcile adds what is missing, and removes the rest on request", async () => {
      const manifests = (resource: string, user: string): string =>
        file(
          `${user}.json`,
          JSON.stringify({
            apiVersion: "v1",
            kind: "List",
            items: [
              {
                apiVersion: "rbac.authorization.k8s.io/v1",
                kind: "Role",
                metadata: { name: "app", namespace: "default" },
                rules: [{ apiGroups: [""], resources: [resource], verbs: ["get"] }],
              },
              {
                apiVersion: "rbac.authorization.k8s.io/v1",
                kind: "RoleBinding",
                metadata: { name: "apps", namespace: "default" },
                roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "app" },
                subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
              },
            ],
          }),
        );
      const reconciled = async (path: string, ...flags: string[]): Promise<string> => {
        const { stdout, stderr } = await run(["auth", "reconcile", "-f", path, ...flags]);
        expect(stdout).toBe(
          "role.rbac.authorization.k8s.io/app reconciled\nrolebinding.rbac.authorization.k8s.io/apps reconciled\n",
        );
        return stderr;
      };
      const ruleLine = (resource: string) =>
        `\t\t{Verbs:[get] APIGroups:[] Resources:[${resource}] ResourceNames:[] NonResourceURLs:[]}\n`;
      const subjectLine = (name: string) =>
        `\t\t{Kind:User APIGroup:rbac.authorization.k8s.io Name:${name} Namespace:}\n`;
      const pods = manifests("pods", "dora");
      const secrets = manifests("secrets", "emil");
      const added = (what: string, resource: string, user: string) =>
        `\treconciliation required ${what}\n\tmissing rules added:\n${ruleLine(resource)}` +
        `\treconciliation required ${what}\n\tmissing subjects added:\n${subjectLine(user)}`;
      expect(await reconciled(pods)).toBe(added("create", "pods", "dora"));
      expect(await reconciled(secrets)).toBe(added("update", "secrets", "emil"));
      expect(await reconciled(secrets, "--remove-extra-permissions", "--remove-extra-subjects")).toBe(
        `\treconciliation required update\n\textra rules removed:\n${ruleLine("pods")}` +
          `\treconciliation required update\n\textra subjects removed:\n${subjectLine("dora")}`,
      );
      expect(await kubectl("auth can-i get secrets --as=emil")).toBe("yes\n");
    });

    test("reconcile completes cluster-wide roles and their bindings, but not with --dry-run", async () => {
      await kubectl("create clusterrole app --verb=get --resource=pods");
      await kubectl("create clusterrolebinding apps --clusterrole=view --user=dora");
      const group = "rbac.authorization.k8s.io";
      const wanted = async (command: string): Promise<object> =>
        JSON.parse(await kubectl(`create ${command} --dry-run=client -o json`));
      const items = [
        await wanted("clusterrole app --verb=get,list --resource=pods"),
        await wanted("clusterrolebinding apps --clusterrole=app --group=team"),
      ];
      const path = file("cluster-wide.json", JSON.stringify({ apiVersion: "v1", kind: "List", items }));
      const reconciled = async (...flags: readonly string[]): Promise<string> => {
        const { status, stdout, stderr } = await run(["auth", "reconcile", "-f", path, ...flags]);
        const dry = flags.includes("--dry-run=client") ? " (dry run)" : "";
        expect({ status, stdout }).toEqual({
          status: 0,
          stdout: `clusterrole.${group}/app reconciled${dry}\nclusterrolebinding.${group}/apps reconciled${dry}\n`,
        });
        return stderr;
      };
      const changed =
        "\treconciliation required update\n\tmissing rules added:\n" +
        "\t\t{Verbs:[list] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}\n" +
        "\treconciliation required recreate\n";
      expect(await reconciled("--dry-run=client")).toBe(changed);
      expect(await run("auth can-i list pods --as=zoe --as-group=team")).toMatchObject({ stdout: "no\n" });
      expect(await reconciled()).toBe(changed);
      expect(await kubectl("auth can-i list pods --as=zoe --as-group=team")).toBe("yes\n");
      expect(await reconciled()).toBe("");
      expect(await refusal(`auth reconcile -f ${path} --as=dora`)).toBe(
        [
          ["clusterroles", "app"],
          ["clusterrolebindings", "apps"],
        ]
          .map(([resource, name]) => {
            const wide = `resource "${resource}" in API group "${group}" at the cluster scope`;
            return `Error from server (Forbidden): ${resource}.${group} "${name}" is forbidden: User "dora" cannot get ${wide}\n`;
          })
          .join(""),
      );
    });

    test.each(["v1", "v1beta1"] as const)("a plugin of %s gets the cluster and logs in", async (version) => {
      const apiVersion = `client.authentication.k8s.io/${version}` as const;
      const calls = file(`calls-${version}`, "");
      const config = { token: cluster.token("alice") };
      const exec = { ...plugin("--calls", calls, "config"), apiVersion, provideClusterInfo: true, config };
      expect(await usernameOf(await kubeconfigWith({ exec }))).toBe("alice");
      expect(JSON.parse(readFileSync(calls, "utf8"))).toMatchObject({
        apiVersion,
        interactive: false,
        cluster: { server: expect.stringMatching(/^https:/), config },
      });
    });

    test("a plugin may print a certificate, and ask the user if kubectl demands it", async () => {
      const { certificate, key } = await cluster.certificate("carol");
      const files = `certificate=${file("carol.crt", certificate)},key=${file("carol.key", key)}`;
      expect(await usernameOf(await kubeconfigWith({ exec: plugin(`credential:${files}`) }))).toBe("carol");
      const exec = { ...plugin("prompt"), interactiveMode: "Always" } as const;
      const refused = await run(`get pods --kubeconfig=${await kubeconfigWith({ exec })}`);
      expect(refused.stderr).toContain("standard input is not a terminal");
    });

    test.each([
      ["fails", ["fail:message=no network,status=3"], /no network.*failed with exit code 3/s],
      ["prints nonsense", ["print:text=nonsense"], /decoding stdout: couldn't get version\/kind/],
      [
        "speaks another version",
        ["credential:token=t", "--api-version=v1beta1"],
        /exec plugin is configured to use API version client.authentication.k8s.io\/v1, plugin returned version client.authentication.k8s.io\/v1beta1/,
      ],
      [
        "has a token that the server does not know",
        ["credential:token=t"],
        /You must be logged in to the server/,
      ],
    ])("a plugin that %s does not log in", async (_title, args, message) => {
      const { status, stderr } = await run(
        `get pods --kubeconfig=${await kubeconfigWith({ exec: plugin(...args) })}`,
      );
      expect(status).toBe(1);
      expect(stderr).toMatch(message);
    });

    test("a plugin that hangs ends with kubectl", async () => {
      const calls = file("calls-hanging", "");
      const kubeconfig = await kubeconfigWith({ exec: plugin("--calls", calls, "hang") });
      const child = start(`get pods --kubeconfig=${kubeconfig}`);
      await expect.poll(() => readFileSync(calls, "utf8"), { timeout: 30_000 }).not.toBe("");
      expect(child.exitCode).toBeNull();
      child.kill();
      // The plugin holds the standard error of kubectl open for as long as it runs.
      expect(await ended(child)).toMatchObject({ status: null });
    });

    test("kubectl calls the plugin again when the server has refused a token", async () => {
      const calls = file("calls-rotating", "");
      await kubectl("create clusterrolebinding alice --clusterrole=view --user=alice");
      const tokens = [cluster.token("alice"), cluster.token("alice")].map(
        (token) => `credential:token=${token}`,
      );
      const kubeconfig = await kubeconfigWith({ exec: plugin("--calls", calls, ...tokens) });
      const expired = cluster.inject(tokenExpired());
      expect(await kubectl(`get configmaps --kubeconfig=${kubeconfig}`)).toContain("kube-root-ca.crt");
      expect(readFileSync(calls, "utf8").trim().split("\n")).toHaveLength(2);
      expect(expired.hits).toBeGreaterThan(0);
      expired.remove();
    });
  },
  { authorizationMode: "RBAC" },
);
