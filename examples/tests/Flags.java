// edgectl sandbox exec --seed seed.yaml -- java Flags.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

public class Flags {
  static String call(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("CLOUDFLARE_BASE_URL") + path))
        .header("Authorization", "Bearer " + System.getenv("CLOUDFLARE_API_TOKEN"))
        .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  public static void main(String[] arguments) throws Exception {
    var namespaces = "/accounts/" + System.getenv("CLOUDFLARE_ACCOUNT_ID") + "/storage/kv/namespaces";
    var found = Pattern.compile("\"id\":\"(\\w{32})\",\"title\":\"flags\"").matcher(call(namespaces));
    if (!found.find()) throw new AssertionError("the seed has no namespace flags");
    var value = call(namespaces + "/" + found.group(1) + "/values/search");
    if (!value.equals("on")) throw new AssertionError("search is " + value);
    System.out.println("passed");
  }
}
