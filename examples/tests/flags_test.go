// edgectl sandbox exec --seed seed.yaml -- go test flags_test.go
package flags

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
)

func call(t *testing.T, path string) string {
	t.Helper()
	request, err := http.NewRequest("GET", os.Getenv("CLOUDFLARE_BASE_URL")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("CLOUDFLARE_API_TOKEN"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestFlag(t *testing.T) {
	namespaces := "/accounts/" + os.Getenv("CLOUDFLARE_ACCOUNT_ID") + "/storage/kv/namespaces"
	var listed struct {
		Result []struct{ ID, Title string }
	}
	if err := json.Unmarshal([]byte(call(t, namespaces)), &listed); err != nil {
		t.Fatal(err)
	}
	for _, namespace := range listed.Result {
		if namespace.Title != "flags" {
			continue
		}
		if value := call(t, namespaces+"/"+namespace.ID+"/values/search"); value != "on" {
			t.Errorf("search is %q", value)
		}
		return
	}
	t.Fatal("the seed has no namespace flags")
}
