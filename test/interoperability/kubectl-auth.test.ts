import { describe, expect, test } from "vitest";
import { certificateRequest } from "../authentication/certificate-request.ts";
import { describeKubectl, testSince } from "./kubectl.ts";

describeKubectl(
  "kubectl auth",
  ({ cluster, file, kubectl, run }) => {
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

    /** A kubeconfig for the same server with a client certificate. */
    async function kubeconfigWith(certificate: { certificate: string; key: string }): Promise<string> {
      const { clusters } = JSON.parse(await kubectl("config view --raw -o json"));
      const { server, "certificate-authority-data": certificateAuthorityData } = clusters[0].cluster;
      return file("certificate.yaml", cluster.kubeconfig({ server, certificateAuthorityData, certificate }));
    }

    test("a certificate in a kubeconfig logs in", async () => {
      const kubeconfig = await kubeconfigWith(await cluster.certificate("alice", { groups: ["dev"] }));
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
      const kubeconfig = await kubeconfigWith({ certificate: atob(issued), key });
      const { status } = JSON.parse(await kubectl(`auth whoami -o json --kubeconfig=${kubeconfig}`));
      expect(status.userInfo).toMatchObject({ username: "bob", groups: ["ops", "system:authenticated"] });
    });

    describe("of a user who may get and list pods", () => {
      test("create rolebinding grants it to users, groups and service accounts", async () => {
        await kubectl("create clusterrole viewer --verb=get,list --resource=pods,deployments.apps/scale");
        await kubectl("create clusterrole prober --verb=get --non-resource-url=/metrics");
        const subjects = "--user=carl --group=testers --serviceaccount=default:ci";
        expect(await kubectl(`create rolebinding viewers --clusterrole=viewer ${subjects}`)).toBe(
          "rolebinding.rbac.authorization.k8s.io/viewers created\n",
        );
        expect(await kubectl("create clusterrolebinding probers --clusterrole=prober --user=carl")).toBe(
          "clusterrolebinding.rbac.authorization.k8s.io/probers created\n",
        );
        const spec = { containers: [{ name: "c", image: "i" }] };
        await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "shop" }, spec });
      });

      const nodes = "Warning: resource 'nodes' is not namespace scoped\n\n";
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

      const server = "Error from server (Forbidden): ";
      test.each<[string, string, string, string]>([
        ["get secret s", server, 'secrets "s"', 'get resource "secrets"'],
        ["get pods -A", server, "pods", "list"],
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
  },
  { authorizationMode: "RBAC" },
);
