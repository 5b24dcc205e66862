package settings

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

var cluster = Cluster{os.Getenv("KUBEDOUBLE_URL"), os.Getenv("KUBEDOUBLE_TOKEN")}

func control(t *testing.T, path, body string) {
	t.Helper()
	request, _ := http.NewRequest("POST", cluster.URL+"/kubedouble/v1/"+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+cluster.Token)
	if response, err := http.DefaultClient.Do(request); err != nil || response.StatusCode >= 300 {
		t.Fatal(path, response, err)
	}
}

func TestSetColorTriesAgainAfterConflicts(t *testing.T) {
	control(t, "faults", `{"scenario": "conflict:resource=configmaps,times=2"}`)
	if err := cluster.SetColor("red"); err != nil {
		t.Fatal(err)
	}
	control(t, "check", "") // fails if the conflicts did not happen
	control(t, "reset", "")
}

func TestSetColorReportsAFailure(t *testing.T) {
	control(t, "faults", `{"scenario": "etcdLeaderChange"}`)
	if err := cluster.SetColor("red"); err == nil || !strings.Contains(err.Error(), "500") {
		t.Fatal("got", err)
	}
	control(t, "check", "")
	control(t, "reset", "")
}
