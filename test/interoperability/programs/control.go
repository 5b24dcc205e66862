// Drives the control API of the server in KUBEDOUBLE_URL. Prints one line for each step.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

const maps = "/api/v1/namespaces/default/configmaps"

var client = &http.Client{Transport: &http.Transport{
	TLSClientConfig:   &tls.Config{RootCAs: authorities()},
	ForceAttemptHTTP2: true,
}}

type object = map[string]interface{}

type server struct{ url, token string }

func authorities() *x509.CertPool {
	pem, err := os.ReadFile(os.Getenv("KUBEDOUBLE_CA_FILE"))
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}

func (s server) request(method, path, body string) (int, object) {
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	answer := object{}
	_ = json.Unmarshal(text, &answer)
	return response.StatusCode, answer
}

func (s server) control(method, path, body string) (int, object) {
	return s.request(method, "/kubedouble/v1/"+path, body)
}

func configMap(version string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"first","resourceVersion":%q}}`, version)
}

func main() {
	s := server{os.Getenv("KUBEDOUBLE_URL"), os.Getenv("KUBEDOUBLE_TOKEN")}

	status, created := s.request("POST", maps, configMap(""))
	fmt.Println("create:", status)
	version := created["metadata"].(object)["resourceVersion"].(string)
	status, _ = s.control("POST", "faults", `{"scenario": "conflict:resource=configmaps"}`)
	fmt.Println("inject:", status)
	status, _ = s.control("POST", "check", "")
	fmt.Println("check of an unused fault:", status)
	_, fault := s.control("POST", "faults", `{"scenario": "conflict", "options": {"resource": "configmaps"}}`)
	status, _ = s.request("PUT", maps+"/first", configMap(version))
	fmt.Println("update:", status)
	_, fault = s.control("GET", "faults/"+fault["id"].(string), "")
	fmt.Println("hits:", fault["hits"])
	_, log := s.control("GET", "requests?verb=update", "")
	fmt.Println("fault in the log:", log["requests"].([]interface{})[0].(object)["fault"])
	status, _ = s.control("POST", "check", "")
	fmt.Println("check:", status)
	_, fault = s.control("POST", "faults", `{"scenario": "throttle"}`)
	status, _ = s.control("DELETE", "faults/"+fault["id"].(string), "")
	fmt.Println("remove:", status)
	status, refused := s.control("POST", "faults", `{"scenario": "conflct"}`)
	fmt.Println("misspelt:", status, strings.Contains(refused["message"].(string), "did you mean conflict?"))
	status, _ = s.control("POST", "clock", `{"advance": "1h"}`)
	fmt.Println("advance:", status)
	status, _ = s.control("POST", "compact", "")
	fmt.Println("compact:", status)
	status, _ = s.request("GET", maps+"?resourceVersion=1&resourceVersionMatch=Exact", "")
	fmt.Println("old list:", status)
	_, snapshot := s.control("POST", "snapshots", "")
	s.request("DELETE", maps+"/first", "")
	status, _ = s.control("POST", "snapshots/"+snapshot["id"].(string)+"/restore", "")
	fmt.Println("restore:", status)
	status, _ = s.request("GET", maps+"/first", "")
	fmt.Println("restored:", status)
	status, fork := s.control("POST", "forks", "{}")
	fmt.Println("fork:", status)
	server{fork["url"].(string), fork["token"].(string)}.request("DELETE", maps+"/first", "")
	status, _ = s.request("GET", maps+"/first", "")
	fmt.Println("after a delete in the fork:", status)
	status, _ = s.control("DELETE", "forks/"+fork["id"].(string), "")
	fmt.Println("close:", status)
	status, _ = s.control("POST", "reset", "")
	fmt.Println("reset:", status)
	status, _ = s.request("GET", maps+"/first", "")
	fmt.Println("after the reset:", status)
	status, _ = server{s.url, "guess"}.control("GET", "faults", "")
	fmt.Println("another token:", status)
}
